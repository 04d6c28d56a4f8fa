import PrintModel
import Synchronization

/// A worker that makes one page of everything, unless the test says otherwise.
final class ScriptedWorker: DocumentWorking {
    private struct Script {
        var failures: [WorkError] = []
        var gate: Gate?
        var cancelCount = 0
        var prepareCount = 0
    }

    private let script = Mutex(Script())

    /// How often the work was cancelled in the middle.
    var cancelCount: Int { script.withLock { $0.cancelCount } }
    var prepareCount: Int { script.withLock { $0.prepareCount } }

    /// Lets the next document fail.
    func fail(with error: WorkError) { script.withLock { $0.failures.append(error) } }

    /// Lets the work wait at a gate; nil takes the gate away.
    func set(_ gate: Gate?) { script.withLock { $0.gate = gate } }

    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        DocumentSummary(format: .pdf, pageCount: 1)
    }

    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        script.withLock { $0.prepareCount += 1 }
        if let gate = script.withLock({ $0.gate }) {
            do throws(CancellationError) {
                try await gate.pass()
            } catch {
                script.withLock { $0.cancelCount += 1 }
                throw WorkError(.canceled, "canceled")
            }
        }
        let failure = script.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
        if let failure { throw failure }
        return PreparedDocument(impressions: 5, sheets: 5, pages: 5)
    }

    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        RasterizedDocument(pages: [], impressions: 0, sheets: 0)
    }
}
