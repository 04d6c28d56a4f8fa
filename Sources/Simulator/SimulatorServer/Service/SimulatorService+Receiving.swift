// Receives documents, and aborts jobs whose documents do not arrive.

import Glibc
import IPP
import PrintIPP
import PrintModel
import PrinterSimulator
import Synchronization

/// A complete document that does not belong to a job yet.
struct ArrivedDocument {
    var path: String
    var format: DocumentFormat

    /// Deletes the file of the document, unless a job has moved the file.
    func removeIfLeft() { unlink(path) }
}

extension SimulatorService {
    /// Receives a document's data.
    ///
    /// Returns nil if the document is empty. If the data is incomplete, cannot be stored, or has a format that the
    /// printer does not support, the file is deleted.
    func receive(_ document: DocumentRequest, at device: SimulatedPrinter) async throws -> ArrivedDocument? {
        try await device.checkRoom()
        let path = device.nextDocument()
        guard try await document.stream.save(toPath: path) > 0 else {
            unlink(path)
            return nil
        }
        do {
            return ArrivedDocument(path: path, format: try device.format(ofDocument: path, said: document.format))
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Runs until the task is canceled, and aborts each job whose documents do not arrive before the timeout.
    func giveUpLateJobs() async {
        while true {
            do { try await environment.clock.sleep(for: .seconds(10)) } catch { return }
            var incoming: Set<Arrivals.Key> = []
            for device in devices {
                for job in await device.unfinishedJobs where job.isIncoming {
                    let key = Arrivals.Key(printer: device.description.name, job: job.id)
                    incoming.insert(key)
                    guard let since = arrivals.quietSince(key) else { continue }
                    guard environment.now() - max(since, job.createdAt) >= Self.timeOut else { continue }
                    // abortJob() fails if the job has received its document in the meantime.
                    try? await device.abortJob(
                        job.id, .multipleOperationTimeOut,
                        message: "The document did not arrive before the timeout; submit the job again")
                }
            }
            arrivals.forget(allBut: incoming)
        }
    }
}

/// The document transfers of jobs that still wait for documents.
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

    func begin(_ key: Key) { arrivals.withLock { $0[key, default: Arrival()].transfers += 1 } }

    func end(_ key: Key, at now: UnixTime) {
        arrivals.withLock {
            $0[key, default: Arrival(transfers: 1)].transfers -= 1
            $0[key]?.lastEnd = now
        }
    }

    /// Returns the time at which a job's last transfer ended.
    ///
    /// The time is 0 if the job had no transfer, and nil during a transfer.
    func quietSince(_ key: Key) -> UnixTime? {
        arrivals.withLock { arrivals in
            guard let arrival = arrivals[key] else { return 0 }
            return arrival.transfers > 0 ? nil : arrival.lastEnd
        }
    }

    func forget(allBut keys: Set<Key>) {
        arrivals.withLock { $0 = $0.filter { keys.contains($0.key) || $0.value.transfers > 0 } }
    }
}
