// Defines the properties that an app sets for a print job.

/// The properties that an app sets for a print job: content type, name, orientation, sides, printer (UIKit's
/// `UIPrintInfo`).
///
///     var info = PrintInfo()
///     info.outputType = .general
///     info.jobName = "report.pdf"
///     info.duplex = .longEdge
public struct PrintInfo: Hashable, Sendable, Codable {
    /// The type of content.
    public var outputType: OutputType
    /// The job's name; empty for the name of the application.
    public var jobName: String
    /// The orientation of drawn content; ignored for ready-to-print documents, which have their own orientation.
    public var orientation: Orientation
    /// The sides to print on, if the printer supports them.
    public var duplex: Duplex
    /// The name of the preselected printer; nil for the default printer.
    public var printerID: String?

    /// Creates the properties; the default is general content, portrait, one-sided, on the default printer.
    public init(
        outputType: OutputType = .general, jobName: String = "", orientation: Orientation = .portrait,
        duplex: Duplex = .none, printerID: String? = nil
    ) {
        self.outputType = outputType
        self.jobName = jobName
        self.orientation = orientation
        self.duplex = duplex
        self.printerID = printerID
    }

    /// The ticket that requests these properties from a printer.
    ///
    /// The ticket has no orientation: drawn content is already oriented, and ready-to-print documents have their own
    /// orientation.
    public var ticket: JobTicket {
        var ticket = JobTicket()
        ticket.outputType = outputType
        ticket.duplex = duplex
        return ticket
    }
}
