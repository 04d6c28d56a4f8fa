// Defines a printer for backend tests and the faults that it can simulate.

public import PrintModel

/// A printer for testing a backend, with fault injection.
///
/// Each trial has a separate bench.
public protocol BackendBench: Sendable {
    /// The faults that the bench cannot simulate, with reasons.
    ///
    /// Trials that require these faults are canceled with the reason.
    static var leftOut: [BackendTrouble: String] { get }
    /// Whether the printer reports the number of printed sides.
    static var countsSides: Bool { get }

    /// Creates a new backend for the printer, as a process does after its start.
    func makeBackend() async throws -> any PrinterBackend

    /// Returns the path of a document with the given number of pages, in a format that the printer accepts.
    func document(pages: Int) throws -> String

    /// The format of the documents.
    var format: DocumentFormat { get }

    /// The options for each document.
    var options: DeviceOptions { get }

    /// Starts a fault.
    func begin(_ trouble: BackendTrouble) async throws

    /// Ends the fault.
    func end(_ trouble: BackendTrouble) async throws

    /// Waits until the device has ended its next job.
    ///
    /// A server between the backend and the device may report the end earlier.
    func untilDeviceHasEndedJob() async throws

    /// Returns the names and numbers of sides of all printed jobs; a job that was printed twice occurs twice.
    func paper() async throws -> [(name: String, sides: Int)]
}

extension BackendBench {
    /// No faults, because the bench simulates all faults.
    public static var leftOut: [BackendTrouble: String] { [:] }
    /// True: the printer reports the number of printed sides.
    public static var countsSides: Bool { true }
    /// Returns at once, because there is no other server.
    public func untilDeviceHasEndedJob() async throws {}
    /// One-sided A4.
    public var options: DeviceOptions { DeviceOptions(paper: PrintPaper(media: .a4)) }
}

/// The faults of a printer.
public enum BackendTrouble: String, Sendable, CaseIterable {
    /// The printer stops before a job's second side.
    case stopsAtSecondSide
    /// The printer is unreachable.
    case unreachable
    /// The printer accepts no job now.
    case busy
    /// The connection breaks in the middle of a document.
    case documentCut
    /// The printer receives a document, and its response is lost.
    case answerLost
    /// The printer responds to one Create-Job request with the response to the previous request.
    case answerRepeated
    /// The printer was switched off and on: it has lost all jobs, and its job numbers start again.
    case numbersBeginAnew
    /// The printer rejects the document.
    case documentRefused
}
