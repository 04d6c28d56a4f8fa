// A printer on which a backend is tried, and what can go wrong with it.

public import PrintModel

/// A printer that a backend is tried on, with all that can be made to go wrong there.
///
/// Each trial has a bench of its own.
public protocol BackendBench: Sendable {
    /// What it cannot have go wrong, and why; trials that need it are shown as left out, with these words.
    static var leftOut: [BackendTrouble: String] { get }
    /// Whether it tells how far a job is printed.
    static var countsSides: Bool { get }

    /// The way to the printer, made anew as by a process that has just been started.
    func makeBackend() async throws -> any PrinterBackend

    /// The path of a document of so many pages, in a format that the printer takes.
    func document(pages: Int) throws -> String

    /// The format of the documents.
    var format: DocumentFormat { get }

    /// What the printer is asked to do with each document.
    var options: DeviceOptions { get }

    /// Has something go wrong, until `end`.
    func begin(_ trouble: BackendTrouble) async throws

    /// Mends it.
    func end(_ trouble: BackendTrouble) async throws

    /// Waits until the device itself has ended its next job, where another server stands between and says so before.
    func untilDeviceHasEndedJob() async throws

    /// The jobs of which something came out, by name, and the sides of each; a job that came out twice is there twice.
    func paper() async throws -> [(name: String, sides: Int)]
}

extension BackendBench {
    /// Most have everything go wrong.
    public static var leftOut: [BackendTrouble: String] { [:] }
    /// Most printers do.
    public static var countsSides: Bool { true }
    /// Most have nothing between.
    public func untilDeviceHasEndedJob() async throws {}
    /// One side after the other, on A4.
    public var options: DeviceOptions { DeviceOptions(paper: PrintPaper(media: .a4)) }
}

/// What can go wrong with a printer.
public enum BackendTrouble: String, Sendable, CaseIterable {
    /// It stops before a job's second side.
    case stopsAtSecondSide
    /// Nobody reaches it.
    case unreachable
    /// It takes no job now.
    case busy
    /// The connection breaks in the middle of a document.
    case documentCut
    /// A document arrives, and the answer to it is lost.
    case answerLost
    /// It answers Create-Job once with the answer to the request before.
    case answerRepeated
    /// It has been switched off and on: it knows no job any more, and its numbers begin anew.
    case numbersBeginAnew
    /// It does not take the document.
    case documentRefused
}
