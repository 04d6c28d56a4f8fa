// What a simulated printer needs from the world outside.

import FoundationEssentials
package import PrintModel

/// The world around a simulated printer: who makes its pages, and what time it is.
///
/// Tests give a clock that they move by hand, and their own times and names.
package struct SimulatorEnvironment: Sendable {
    /// Turns documents into page images.
    package var worker: any DocumentWorking
    /// Times the pages.
    package var clock: any Clock<Duration>
    /// Dates the jobs.
    package var now: @Sendable () -> UnixTime
    /// Names the jobs: `urn:uuid:…`, a new one each time.
    package var makeUUID: @Sendable () -> String
    /// What decides about faults that are left to chance.
    package var seed: UInt64 = 0
    /// Whether the printer prints for a queue whose numbers the folders of its jobs bear.
    package var isOfQueue = false
    /// Is told what happens, in its order; must not wait.
    package var note: @Sendable (JobEvent) -> Void

    /// The real world, but for what is given.
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
