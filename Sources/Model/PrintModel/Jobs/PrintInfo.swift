// What an app says about a job before it prints.

/// What an app says about a job: kind, name, orientation, sides, printer (UIKit's `UIPrintInfo`).
///
///     var info = PrintInfo()
///     info.outputType = .general
///     info.jobName = "report.pdf"
///     info.duplex = .longEdge
public struct PrintInfo: Hashable, Sendable, Codable {
    /// What kind of content is printed.
    public var outputType: OutputType
    /// The job's name; empty takes the application's.
    public var jobName: String
    /// How drawn content lies on the paper; ignored for ready content, which knows itself.
    public var orientation: Orientation
    /// On which sides to print, when the printer can.
    public var duplex: Duplex
    /// The name of the printer that is preselected; nil for the default one.
    public var printerID: String?

    /// General content, upright, one-sided, to the default printer.
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

    /// The ticket that asks a printer for the same.
    ///
    /// The orientation is not in it: what is drawn for it lies that way already, and ready content knows itself.
    public var ticket: JobTicket {
        var ticket = JobTicket()
        ticket.outputType = outputType
        ticket.duplex = duplex
        return ticket
    }
}
