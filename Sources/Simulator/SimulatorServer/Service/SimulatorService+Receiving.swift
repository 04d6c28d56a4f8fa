// Documents coming in, and jobs whose documents do not.

import Glibc
import IPP
import PrintIPP
import PrintModel
import PrinterSimulator
import Synchronization

/// A document that has arrived whole, and is not yet a job's.
struct ArrivedDocument {
    var path: String
    var format: DocumentFormat

    /// Throws the file away, unless a job has taken it.
    func removeIfLeft() { unlink(path) }
}

extension SimulatorService {
    /// Takes in a document's data; nil when there was none.
    ///
    /// - Throws: `IPPFailure` when the data does not come whole, cannot be kept, or is of a format that the printer does
    ///   not take; no file is left then.
    func receive(
        _ document: DocumentRequest, at device: SimulatedPrinter
    ) async throws(IPPFailure) -> ArrivedDocument? {
        try await asFailure { () throws(SimulatorError) in try await device.checkRoom() }
        let path = device.nextDocument()
        let count: Int
        do throws(DocumentStreamError) {
            count = try await document.stream.save(toPath: path)
        } catch {
            throw IPPFailure(error)
        }
        guard count > 0 else {
            unlink(path)
            return nil
        }
        do throws(SimulatorError) {
            return ArrivedDocument(path: path, format: try device.format(ofDocument: path, said: document.format))
        } catch {
            unlink(path)
            throw IPPFailure(error)
        }
    }

    /// Gives up jobs whose documents do not come in time, until the task is cancelled.
    func giveUpLateJobs() async {
        while true {
            do { try await surroundings.clock.sleep(for: .seconds(10)) } catch { return }
            var incoming: Set<Arrivals.Key> = []
            for device in devices {
                for job in await device.unfinishedJobs where job.isIncoming {
                    let key = Arrivals.Key(printer: device.description.name, job: job.id)
                    incoming.insert(key)
                    guard let since = arrivals.quietSince(key) else { continue }
                    guard surroundings.now() - max(since, job.createdAt) >= Self.timeOut else { continue }
                    // One that got its document just now is no longer to be given up.
                    try? await device.abortJob(
                        job.id, .multipleOperationTimeOut,
                        message: "Its document did not arrive in time; send the job again")
                }
            }
            arrivals.forget(allBut: incoming)
        }
    }
}

/// The jobs whose documents are on their way.
final class Arrivals: Sendable {
    struct Key: Hashable {
        var printer: String
        var job: Int
    }

    private struct Arrival {
        var transfers = 0
        var lastEnd: UnixTime = 0
    }

    private let arrivals = Mutex<[Key: Arrival]>([:])

    /// A transfer begins.
    func begin(_ key: Key) { arrivals.withLock { $0[key, default: Arrival()].transfers += 1 } }

    /// A transfer has ended, well or not.
    func end(_ key: Key, at now: UnixTime) {
        arrivals.withLock {
            $0[key, default: Arrival(transfers: 1)].transfers -= 1
            $0[key]?.lastEnd = now
        }
    }

    /// Since when nothing comes for a job: 0 when nothing ever did, nil while something does.
    func quietSince(_ key: Key) -> UnixTime? {
        arrivals.withLock { arrivals in
            guard let arrival = arrivals[key] else { return 0 }
            return arrival.transfers > 0 ? nil : arrival.lastEnd
        }
    }

    /// Forgets jobs that wait no longer.
    func forget(allBut keys: Set<Key>) {
        arrivals.withLock { $0 = $0.filter { keys.contains($0.key) || $0.value.transfers > 0 } }
    }
}
