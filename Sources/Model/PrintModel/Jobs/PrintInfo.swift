// Defines the properties that an app sets for a print job.

/// The properties that an app sets for a print job (UIKit's `UIPrintInfo`): content type, name, orientation, sides and
/// printer.
///
///     var info = PrintInfo()
///     info.outputType = .general
///     info.jobName = "report.pdf"
///     info.duplex = .longEdge
public struct PrintInfo: Hashable, Sendable, Codable {
    /// The type of content that the app prints.
    public var outputType: OutputType
    /// The job's name.
    ///
    /// If the name is empty, the job has the name of the application.
    public var jobName: String
    /// The orientation of drawn content.
    ///
    /// The value is ignored for ready-to-print documents, which contain an orientation.
    public var orientation: Orientation
    /// The sides to print on, if the printer supports these sides.
    public var duplex: Duplex
    /// The name of the preselected printer; nil means the default printer.
    public var printerID: String?

    /// Creates the properties.
    ///
    /// The defaults are general content, portrait, one-sided printing and the default printer.
    public init(
        outputType: OutputType = .general, jobName: String = "", orientation: Orientation = .portrait,
        duplex: Duplex = .none, printerID: String? = nil
    ) {
        (self.outputType, self.jobName, self.orientation) = (outputType, jobName, orientation)
        (self.duplex, self.printerID) = (duplex, printerID)
    }

    /// The ticket that requests these properties from a printer.
    ///
    /// The ticket has no orientation: drawn content is already rotated, and ready-to-print documents contain an
    /// orientation.
    public var ticket: JobTicket {
        var ticket = JobTicket()
        ticket.outputType = outputType
        ticket.duplex = duplex
        return ticket
    }
}
