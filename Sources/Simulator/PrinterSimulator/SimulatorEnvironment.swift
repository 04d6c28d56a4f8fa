// The dependencies of a simulated printer.

import Dispatch
import FoundationEssentials
import Glibc
package import PrintModel

/// The dependencies of a simulated printer: the worker, the clock, the dates and the UUIDs.
///
/// Tests pass a manual clock and fixed dates and UUIDs.
package struct SimulatorEnvironment: Sendable {
    package var worker: any DocumentWorking
    package var clock: any Clock<Duration>
    package var now: @Sendable () -> UnixTime
    /// A function that returns a new job UUID of the form `urn:uuid:…`.
    package var makeUUID: @Sendable () -> String
    package var seed: UInt64 = 0
    /// The job numbers, which the printers share.
    package var jobNumbers = JobNumbers()
    /// Whether the printer belongs to a spooler's queue.
    ///
    /// If true, job folders have the job numbers of the queue.
    package var isOfQueue = false
    /// The number of ended jobs that each printer keeps, with their folders; nil for no limit.
    package var keptJobs: Int?
    /// The function must not block.
    package var remove: @Sendable (_ folder: String) -> Void = FolderRemoval.start
    /// A function that receives the events in order.
    ///
    /// The function must not block.
    package var note: @Sendable (JobEvent) -> Void

    package init(
        worker: any DocumentWorking, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> UnixTime = { Date().timeIntervalSince1970 },
        makeUUID: @escaping @Sendable () -> String = { "urn:uuid:\(UUID().uuidString.lowercased())" },
        note: @escaping @Sendable (JobEvent) -> Void = { _ in }
    ) {
        self.worker = worker
        self.clock = clock
        self.now = now
        self.makeUUID = makeUUID
        self.note = note
    }
}

private enum FolderRemoval {
    private static let queue = DispatchQueue(label: "removed pages", qos: .utility)

    /// Removes a folder, and its parent folder if the parent folder is then empty.
    @Sendable static func start(_ folder: String) {
        queue.async {
            try? FileManager.default.removeItem(atPath: folder)
            if let slash = folder.lastIndex(of: "/") { rmdir(String(folder[..<slash])) }
        }
    }
}
