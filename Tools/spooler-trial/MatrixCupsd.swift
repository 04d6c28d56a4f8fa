// Runs a cupsd for the crash matrix.

import Foundation
import PrintTestSupport
import SpoolerTrials

/// A real cupsd with a driverless queue for the matrix's printer.
final class MatrixCupsd: Sendable {
    static let queue = "office"
    private let cupsd: PrivateCupsd

    /// Creates a cupsd that does not run yet.
    ///
    /// - Parameter isDurable: Whether cupsd writes jobs to the disk before it acknowledges them.
    init(isDurable: Bool) throws { cupsd = try PrivateCupsd(isDurable: isDurable, isRunning: false) }

    var socket: String { cupsd.socket }
    /// The end of cupsd's log.
    var log: String { cupsd.log }

    /// Starts cupsd and creates its queue.
    func start(onto printer: String) async throws {
        try cupsd.start()
        try await cupsd.addQueue(Self.queue, to: printer, "-m", "everywhere")
        // Restart cupsd, because by default it has not written the queue to the disk yet.
        cupsd.stop()
        try cupsd.start()
    }

    /// Starts cupsd again after a kill.
    func restart() throws { try cupsd.start() }

    /// Kills cupsd with its filters and backends, like the end of its service.
    func kill() { cupsd.killAll() }

    func stopQueue() async throws { _ = try await cupsd.run("cupsdisable", Self.queue) }

    /// Enables the stopped queue, as its message suggests.
    func startQueue() async throws { _ = try await cupsd.run("cupsenable", Self.queue) }

    /// Whether cupsd has started to receive a document.
    var hasDocument: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cupsd.folder.path("spool"))) ?? []
        return names.contains { $0.hasPrefix("d0") }
    }
}
