// What every way from the queue to a printer keeps to, tried on each.

import PrintModel
import Testing

/// A promise of `PrinterBackend`, as a trial.
///
///     @Test(arguments: BackendTrial.allCases)
///     func `IPP to a simulated printer`(trial: BackendTrial) async throws {
///         try await trial.run { try await SimulatorBench() }
///     }
public enum BackendTrial: String, Sendable, CaseIterable {
    /// A job made, sent and followed comes out once, whole.
    case delivers
    /// The sides are counted as they come, and a printer that has stopped says why.
    case showsProgress
    /// A job canceled in the middle ends as canceled; canceling it again is no error.
    case cancelsMidway
    /// A job canceled before its document came leaves no paper.
    case cancelsWithoutDocument
    /// While nobody reaches the printer this is said so, and nothing is lost.
    case goneBeforeSending
    /// A document that was cut off does not come out.
    case goneWhileSending
    /// A document whose answer was lost is found by number and name, and comes out once.
    case goneAfterSending
    /// A busy printer is one to try again.
    case busy
    /// An answer that belongs to another request makes no job come out twice, nor seem to be another.
    case repeatedAnswer
    /// The number of another job is not our job's.
    case strangersAreNotOurs
    /// A job of before is not taken for a new one of the same number.
    case numbersBeginAnew
    /// A document that is refused is not sent again, and nothing came out.
    case refusedDocument
    /// With the backend made anew between each two steps, the job is found again and comes out once.
    case crashesBetweenSteps
    /// Waiting for news comes to an end while a job prints, and when nobody wants it any more.
    case waitsForNews

    /// What must go wrong for it.
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

    /// Tries it on a bench of its own; where that cannot have the trouble, the test is shown as cancelled, with the reason.
    public func run<Bench: BackendBench>(on makeBench: () async throws -> Bench) async throws {
        for trouble in needs {
            if let reason = Bench.leftOut[trouble] { try Test.cancel("\(rawValue) is left out: \(reason)") }
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
