// Defines a printer of the queue.

/// A printer of the queue.
public struct ConfiguredPrinter: Hashable, Sendable, Codable {
    /// The name in the queue: letters, digits, `-`, `_`, `.`.
    ///
    /// The name is part of the printer's URIs.
    public var name: String
    /// The URI of the printer; see `DeviceURI`.
    public var deviceURI: String
    /// The description for users (IPP `printer-info`).
    public var info: String
    /// The location of the printer (IPP `printer-location`).
    public var location: String
    /// Whether the printer is the default for jobs that do not specify a printer.
    public var isDefault: Bool
    /// Whether a user paused the printer.
    ///
    /// The jobs of a paused printer wait.
    public var isPaused: Bool
    /// The reason why the printer is paused, as text for users.
    public var pauseMessage: String
    /// Whether the printer accepts new jobs (IPP `printer-is-accepting-jobs`).
    public var isAccepting: Bool
    /// The action for a job that cannot be delivered.
    public var errorPolicy: ErrorPolicy
    /// The action for a job that the printer aborts although its documents are valid.
    public var afterInterruption: AfterInterruption
    /// The default options for jobs that do not set these options.
    ///
    /// The keys are option names of `PrintOption` (CUPS `NAME-default`).
    public var options: [String: String]
    /// The users who are allowed to print on this printer.
    public var users: PrinterUsers

    /// The action for a job that cannot be delivered (CUPS `printer-error-policy`).
    public enum ErrorPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// A retry of the job without limit, with increasing delays.
        case retryJob = "retry-job"
        /// An abort of the job after a failed delivery.
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
        /// An abort of the job after the interruption.
        case abort
    }

    /// Creates a printer of the queue.
    public init(
        name: String, deviceURI: String, info: String = "", location: String = "", isDefault: Bool = false,
        isPaused: Bool = false, pauseMessage: String = "", isAccepting: Bool = true,
        errorPolicy: ErrorPolicy = .retryJob, afterInterruption: AfterInterruption = .ask,
        options: [String: String] = [:], users: PrinterUsers = .everybody
    ) {
        self.name = name
        self.deviceURI = deviceURI
        self.info = info
        self.location = location
        self.isDefault = isDefault
        self.isPaused = isPaused
        self.pauseMessage = pauseMessage
        self.isAccepting = isAccepting
        self.errorPolicy = errorPolicy
        self.afterInterruption = afterInterruption
        self.options = options
        self.users = users
    }

    /// Returns the default options of jobs, except options that the printer no longer supports.
    ///
    /// - Parameter capabilities: The printer's capabilities; nil if unknown.
    public func defaultTicket(for capabilities: PrinterCapabilities?) -> JobTicket {
        var ticket = JobTicket()
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            var wanted = ticket
            guard (try? wanted.set(name, to: value, at: 0)) != nil else { continue }
            if capabilities.map({ wanted.plan(for: $0).conflicts.isEmpty }) ?? true { ticket = wanted }
        }
        return ticket
    }

    /// Returns whether a printer can have this name.
    ///
    /// A valid name has 1 to 127 letters, digits, `-`, `_` and `.`, and starts with a letter or digit.
    public static func isValidName(_ name: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
        }
        guard let first = name.utf8.first, isAlphanumeric(first), name.utf8.count <= 127 else { return false }
        return name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 45 || $0 == 95 || $0 == 46 }
    }
}
