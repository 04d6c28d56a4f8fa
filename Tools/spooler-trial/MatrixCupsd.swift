// A cupsd between spooler and printer, for a crash matrix.

import Foundation
import PrintTestSupport
import SpoolerTrials

/// A real cupsd with a driverless queue onto the matrix's printer.
final class MatrixCupsd: Sendable {
    static let queue = "office"
    private let cupsd: PrivateCupsd

    /// One that does not run yet.
    ///
    /// - Parameter isDurable: whether it has its jobs on the disk when it tells of them.
    init(isDurable: Bool) throws { cupsd = try PrivateCupsd(isDurable: isDurable, isRunning: false) }

    var socket: String { cupsd.socket }
    /// The end of what it has logged.
    var log: String { cupsd.log }

    /// Starts it and makes its queue.
    func start(onto printer: String) async throws {
        try cupsd.start()
        try await cupsd.addQueue(Self.queue, to: printer, "-m", "everywhere")
        // By default it has written nothing of that down yet.
        cupsd.stop()
        try cupsd.start()
    }

    /// Has it there again after a kill.
    func restart() throws { try cupsd.start() }

    /// Kills it with its filters and backends, as the end of its service does.
    func kill() { cupsd.killAll() }

    func stopQueue() async throws { _ = try await cupsd.run("cupsdisable", Self.queue) }

    /// Does what a stopped queue's words say.
    func startQueue() async throws { _ = try await cupsd.run("cupsenable", Self.queue) }

    /// Whether it has begun to take a document.
    var hasDocument: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cupsd.folder.path("spool"))) ?? []
        return names.contains { $0.hasPrefix("d0") }
    }
}
