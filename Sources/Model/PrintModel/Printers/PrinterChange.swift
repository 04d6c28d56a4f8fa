// Defines changes to the configuration of a printer.

/// A set of changes to the configuration of an existing or new printer (CUPS-Add-Modify-Printer, as sent by `lpadmin`).
///
///     PrinterChange(deviceURI: "ipp://printer.local/ipp/print", location: "Second floor")
///
/// If a property is nil, an existing printer keeps the current value, and a new printer has the default value. If one
/// change fails, no change is applied.
public struct PrinterChange: Hashable, Sendable {
    /// The device URI, in a format that `DeviceURI` parses.
    ///
    /// If the URI is set and the printer does not exist, the printer is created.
    public var deviceURI: String?
    /// The description for users (IPP `printer-info`).
    public var info: String?
    /// The location of the printer (IPP `printer-location`).
    public var location: String?
    /// The place of the printer as a `geo` URI (IPP `printer-geo-location`); an empty text removes the place.
    public var geoLocation: String?
    /// The organization to which the printer belongs (IPP `printer-organization`).
    public var organization: String?
    /// The part of the organization to which the printer belongs (IPP `printer-organizational-unit`).
    public var organizationalUnit: String?
    /// Whether the printer is published by DNS-SD for clients on the network (CUPS `printer-is-shared`).
    public var isShared: Bool?
    /// The name of the published service (PWG 5100.13 `printer-dns-sd-name`); an empty text selects the description.
    public var serviceName: String?
    /// Whether clients on the network can print without credentials (`printq-anonymous`).
    public var admitsAnonymous: Bool?
    /// The action for a job that cannot be delivered (CUPS `printer-error-policy`).
    public var errorPolicy: ConfiguredPrinter.ErrorPolicy?
    /// The action for a job that the printer aborts although its documents are valid (`printq-after-interruption`).
    public var afterInterruption: ConfiguredPrinter.AfterInterruption?
    /// Whether the printer accepts new jobs (IPP `printer-is-accepting-jobs`).
    public var isAccepting: Bool?
    /// Whether the printer is paused (IPP `printer-state`, idle or stopped).
    public var isPaused: Bool?
    /// The reason why the printer is paused, as text for users (IPP `printer-state-message`).
    public var pauseMessage: String?
    /// The new lists of the printer's policy, such as the users who are allowed to print (CUPS
    /// `requesting-user-name-allowed`, `requesting-user-name-denied`).
    public var policyLists: [PolicyList: AccessList] = [:]
    /// The user name for the printer's authentication (`printq-device-user`).
    public var deviceUser: String?
    /// The password for the printer's authentication (`printq-device-password`); the password is never returned.
    public var devicePassword: String?
    /// Whether to trust the certificate that the printer currently uses (`printq-trust-certificate`).
    public var trustsCertificate: Bool?
    /// The default options for jobs that do not set these options: option names of `PrintOption` and their values.
    ///
    /// An empty value removes an option (CUPS `NAME-default`).
    public var options: [String: String] = [:]
    /// Whether the change is refused if the printer exists (`printq-must-be-new`).
    public var mustBeNew = false
    /// Whether the change is refused if the printer does not exist (`printq-must-exist`).
    public var mustExist = false

    /// Creates a change.
    ///
    /// Properties that are not set stay unchanged.
    public init(
        deviceURI: String? = nil, info: String? = nil, location: String? = nil,
        errorPolicy: ConfiguredPrinter.ErrorPolicy? = nil,
        afterInterruption: ConfiguredPrinter.AfterInterruption? = nil,
        isAccepting: Bool? = nil, isPaused: Bool? = nil, pauseMessage: String? = nil, options: [String: String] = [:]
    ) {
        (self.deviceURI, self.info, self.location) = (deviceURI, info, location)
        (self.errorPolicy, self.afterInterruption, self.isAccepting) = (errorPolicy, afterInterruption, isAccepting)
        (self.isPaused, self.pauseMessage, self.options) = (isPaused, pauseMessage, options)
    }

    /// Returns the changed printer.
    ///
    /// Credentials and certificates are stored separately.
    package func applied(to printer: ConfiguredPrinter) -> ConfiguredPrinter {
        var changed = printer
        changed.deviceURI = deviceURI ?? printer.deviceURI
        changed.info = info ?? printer.info
        changed.location = location ?? printer.location
        changed.geoLocation = geoLocation ?? printer.geoLocation
        changed.organization = organization ?? printer.organization
        changed.organizationalUnit = organizationalUnit ?? printer.organizationalUnit
        changed.isShared = isShared ?? printer.isShared
        changed.serviceName = serviceName ?? printer.serviceName
        changed.admitsAnonymous = admitsAnonymous ?? printer.admitsAnonymous
        changed.errorPolicy = errorPolicy ?? printer.errorPolicy
        changed.afterInterruption = afterInterruption ?? printer.afterInterruption
        changed.isAccepting = isAccepting ?? printer.isAccepting
        changed.isPaused = isPaused ?? printer.isPaused
        changed.pauseMessage = changed.isPaused ? pauseMessage ?? printer.pauseMessage : ""
        for (list, names) in policyLists { changed.policy[list] = names }
        for (name, value) in options { changed.options[name] = value.isEmpty ? nil : value }
        return changed
    }
}

/// The action for the jobs of a printer that is removed.
public enum RemovedPrinterJobs: Hashable, Sendable {
    /// No action for the jobs: the printer is removed only if all its jobs have ended.
    case keepPrinter
    /// A cancellation of the jobs before the printer is removed, as in CUPS.
    case cancel
    /// A move of the jobs to another printer before the printer is removed.
    case move(to: String)
}
