// Defines a printer of the queue.

/// A printer of the queue.
public struct ConfiguredPrinter: Hashable, Sendable, Codable {
    /// The name in the queue: letters, digits, `-`, `_`, `.`.
    ///
    /// The name is part of the printer's URIs.
    package var name: String
    /// The URI of the printer; see `DeviceURI`.
    package var deviceURI: String
    /// The description for users (IPP `printer-info`).
    package var info: String
    /// The location of the printer (IPP `printer-location`).
    package var location: String
    /// The place of the printer as a `geo` URI (IPP `printer-geo-location`); empty if unknown.
    package var geoLocation = ""
    /// The organization to which the printer belongs (IPP `printer-organization`).
    package var organization = ""
    /// The part of the organization to which the printer belongs (IPP `printer-organizational-unit`).
    package var organizationalUnit = ""
    /// Whether the printer is published by DNS-SD for clients on the network (CUPS `printer-is-shared`).
    package var isShared = false
    /// The name of the published service (PWG 5100.13 `printer-dns-sd-name`); empty for the description of the printer.
    package var serviceName = ""
    /// Whether clients on the network can print without credentials (`printq-anonymous`).
    package var admitsAnonymous = false
    /// Whether the printer is the default for jobs that do not specify a printer.
    package var isDefault: Bool
    /// The jobs of a paused printer wait.
    package var isPaused: Bool
    /// The reason why the printer is paused, as text for users.
    package var pauseMessage: String
    /// Whether the printer accepts new jobs (IPP `printer-is-accepting-jobs`).
    package var isAccepting: Bool
    /// The action for a job that cannot be delivered.
    package var errorPolicy: ErrorPolicy
    /// The action for a job that the printer aborts although its documents are valid.
    package var afterInterruption: AfterInterruption
    /// The default options for jobs that do not set these options.
    ///
    /// The keys are option names of `PrintOption` (CUPS `NAME-default`).
    package var options: [String: String]
    /// The users and networks that may print on the printer, see it, and manage it.
    package var policy: PrinterPolicy

    /// The action for a job that cannot be delivered (CUPS `printer-error-policy`).
    public enum ErrorPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// A retry of the job without limit, with increasing delays.
        case retryJob = "retry-job"
        case abortJob = "abort-job"
        /// A pause of the printer. The job waits until a person resumes the printer.
        case stopPrinter = "stop-printer"
    }

    /// The action for a job that the printer aborts although its documents are valid (`printq-after-interruption`).
    ///
    /// Examples of causes are a power loss, a reset and a lost connection.
    public enum AfterInterruption: String, Hashable, Sendable, Codable, CaseIterable {
        /// A suspension of the job until a user resumes, reprints or cancels the job.
        case ask
        /// A continuation of the job with the first sheet that the printer did not report as printed. The job is
        /// suspended if the printer does not count sheets, or if no page is printed in several attempts.
        case `continue`
        case abort
    }

    package init(
        name: String, deviceURI: String, info: String = "", location: String = "", isDefault: Bool = false,
        isPaused: Bool = false, pauseMessage: String = "", isAccepting: Bool = true,
        errorPolicy: ErrorPolicy = .retryJob, afterInterruption: AfterInterruption = .ask,
        options: [String: String] = [:], policy: PrinterPolicy = PrinterPolicy()
    ) {
        (self.name, self.deviceURI, self.info) = (name, deviceURI, info)
        (self.location, self.isDefault, self.isPaused) = (location, isDefault, isPaused)
        (self.pauseMessage, self.isAccepting, self.errorPolicy) = (pauseMessage, isAccepting, errorPolicy)
        (self.afterInterruption, self.options, self.policy) = (afterInterruption, options, policy)
    }

    /// Returns the default options of jobs, except options that the printer no longer supports.
    ///
    /// - Parameter capabilities: The printer's capabilities; nil if unknown.
    package func defaultTicket(for capabilities: PrinterCapabilities?) -> JobTicket {
        var ticket = JobTicket()
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            var wanted = ticket
            guard (try? wanted.set(name, to: value, at: 0)) != nil else { continue }
            if capabilities.map({ wanted.plan(for: $0).conflicts.isEmpty }) ?? true { ticket = wanted }
        }
        return ticket
    }

    /// A valid name has 1 to 127 letters, digits, `-`, `_` and `.`, and starts with a letter or digit.
    package static func isValidName(_ name: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
        }
        guard let first = name.utf8.first, isAlphanumeric(first), name.utf8.count <= 127 else { return false }
        return name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 45 || $0 == 95 || $0 == 46 }
    }
}
