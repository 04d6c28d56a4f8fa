// Tests the requirements of backends.

import PrintModel
import Testing

/// A requirement of `PrinterBackend`, as a test case.
///
///     @Test(arguments: BackendTrial.allCases)
///     func `IPP to a simulated printer`(trial: BackendTrial) async throws {
///         try await trial.run { try await SimulatorBench() }
///     }
public enum BackendTrial: String, Sendable, CaseIterable {
    /// A job that is created, sent and polled is printed once and completely.
    case delivers
    /// The printed sides are counted during printing, and a stopped printer reports the reason.
    case showsProgress
    /// A job canceled while printing ends as canceled; canceling the job again is not an error.
    case cancelsMidway
    /// A job canceled before its document arrives prints nothing.
    case cancelsWithoutDocument
    /// While the printer is unreachable, requests fail with `unreachable`, and nothing is lost.
    case goneBeforeSending
    /// A truncated document is not printed.
    case goneWhileSending
    /// A document whose response was lost is found by number and name, and is printed once.
    case goneAfterSending
    /// A busy printer causes a temporary error.
    case busy
    /// A response that belongs to another request does not cause a second print, and is not taken for another job.
    case repeatedAnswer
    /// A job number of another job is not taken for the job's own number.
    case strangersAreNotOurs
    /// An earlier job is not taken for a new job with the same number.
    case numbersBeginAnew
    /// A rejected document is not sent again, and nothing is printed.
    case refusedDocument
    /// If the backend is created again between all steps, the job is found and printed once.
    case crashesBetweenSteps
    /// Waiting for updates ends while a job prints, and when the task is canceled.
    case waitsForNews

    /// The faults that the trial requires.
    public var needs: Set<BackendTrouble> {
        switch self {
        case .showsProgress, .cancelsMidway, .waitsForNews: [.stopsAtSecondSide]
        case .goneBeforeSending: [.unreachable]
        case .goneWhileSending: [.documentCut]
        case .goneAfterSending: [.answerLost]
        case .busy: [.busy]
        case .repeatedAnswer: [.answerRepeated]
        case .numbersBeginAnew: [.numbersBeginAnew]
        case .refusedDocument: [.documentRefused]
        case .delivers, .cancelsWithoutDocument, .strangersAreNotOurs, .crashesBetweenSteps: []
        }
    }

    /// Runs the trial on a new bench.
    ///
    /// If the bench does not support a required fault, the test is canceled with the reason.
    public func run<Bench: BackendBench>(on makeBench: () async throws -> Bench) async throws {
        for trouble in needs {
            if let reason = Bench.leftOut[trouble] { try Test.cancel("\(rawValue) is not supported: \(reason)") }
        }
        try await run(on: try await makeBench())
    }

    private func run(on bench: some BackendBench) async throws {
        switch self {
        case .delivers: try await bench.delivers()
        case .showsProgress: try await bench.showsProgress()
        case .cancelsMidway: try await bench.cancelsMidway()
        case .cancelsWithoutDocument: try await bench.cancelsWithoutDocument()
        case .goneBeforeSending: try await bench.goneBeforeSending()
        case .goneWhileSending: try await bench.goneWhileSending()
        case .goneAfterSending: try await bench.goneAfterSending()
        case .busy: try await bench.isBusy()
        case .repeatedAnswer: try await bench.repeatsAnswer()
        case .strangersAreNotOurs: try await bench.knowsStrangers()
        case .numbersBeginAnew: try await bench.beginsNumbersAnew()
        case .refusedDocument: try await bench.refusesDocument()
        case .crashesBetweenSteps: try await bench.crashesBetweenSteps()
        case .waitsForNews: try await bench.waitsForNews()
        }
    }
}
