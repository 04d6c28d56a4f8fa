// What of a printer of the queue is to be other than it is.

/// What of a printer is to be other than it is, or how a new one is to be (CUPS-Add-Modify-Printer, as `lpadmin` asks for it).
///
///     PrinterChange(deviceURI: "ipp://printer.local/ipp/print", location: "Second floor")
///
/// Nil leaves a thing as it is; of a new printer, as new printers are. All of it is done, or nothing.
public struct PrinterChange: Hashable, Sendable {
    /// Where it is, as `DeviceURI` has it.
    ///
    /// A printer that does not exist is made when this is given.
    public var deviceURI: String?
    /// What people call it (IPP `printer-info`).
    public var info: String?
    /// Where it stands (IPP `printer-location`).
    public var location: String?
    /// What becomes of a job that cannot be delivered (CUPS `printer-error-policy`).
    public var errorPolicy: ConfiguredPrinter.ErrorPolicy?
    /// What becomes of a job that the printer gives up through no fault of the job's documents (`printq-after-interruption`).
    public var afterInterruption: ConfiguredPrinter.AfterInterruption?
    /// Whether it takes new jobs (IPP `printer-is-accepting-jobs`).
    public var isAccepting: Bool?
    /// Whether it is paused (IPP `printer-state`, idle or stopped).
    public var isPaused: Bool?
    /// Why it is paused, in words (IPP `printer-state-message`).
    public var pauseMessage: String?
    /// Who may print on it (CUPS `requesting-user-name-allowed`, `requesting-user-name-denied`).
    public var users: PrinterUsers?
    /// Whom the printer is told that it is (`printq-device-user`).
    public var deviceUser: String?
    /// What proves that to it (`printq-device-password`); never shown again.
    public var devicePassword: String?
    /// Whether the certificate that it shows now is trusted from now on (`printq-trust-certificate`).
    public var trustsCertificate: Bool?
    /// What its jobs ask for that do not say: option names of `PrintOption` and their values; an empty value takes an
    /// option away (CUPS `NAME-default`).
    public var options: [String: String] = [:]

    /// A change; what is not named stays as it is.
    public init(
        deviceURI: String? = nil, info: String? = nil, location: String? = nil,
        errorPolicy: ConfiguredPrinter.ErrorPolicy? = nil,
        afterInterruption: ConfiguredPrinter.AfterInterruption? = nil,
        isAccepting: Bool? = nil, isPaused: Bool? = nil, pauseMessage: String? = nil, options: [String: String] = [:]
    ) {
        self.deviceURI = deviceURI
        self.info = info
        self.location = location
        self.errorPolicy = errorPolicy
        self.afterInterruption = afterInterruption
        self.isAccepting = isAccepting
        self.isPaused = isPaused
        self.pauseMessage = pauseMessage
        self.options = options
    }

    /// A printer, changed; how it is logged in to is kept elsewhere.
    public func applied(to printer: ConfiguredPrinter) -> ConfiguredPrinter {
        var changed = printer
        changed.deviceURI = deviceURI ?? printer.deviceURI
        changed.info = info ?? printer.info
        changed.location = location ?? printer.location
        changed.errorPolicy = errorPolicy ?? printer.errorPolicy
        changed.afterInterruption = afterInterruption ?? printer.afterInterruption
        changed.isAccepting = isAccepting ?? printer.isAccepting
        changed.isPaused = isPaused ?? printer.isPaused
        changed.pauseMessage = changed.isPaused ? pauseMessage ?? printer.pauseMessage : ""
        changed.users = users ?? printer.users
        for (name, value) in options { changed.options[name] = value.isEmpty ? nil : value }
        return changed
    }
}

/// What becomes of the jobs of a printer that is removed.
public enum RemovedPrinterJobs: Hashable, Sendable {
    /// With jobs that have not ended the printer is not removed.
    case keepPrinter
    /// They are canceled first, as CUPS does.
    case cancel
    /// They go to another printer first.
    case move(to: String)
}
