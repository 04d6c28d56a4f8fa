// Counts and traces the events of a simulation.

/// The types of events in a simulation.
///
/// The raw values are the labels of the counts.
enum Happening: String, CaseIterable {
    // Events of the spooler.
    case boot, bootFailed = "boot failed", killed, killedBeforeCommit = "killed before a commit"
    case killedAfterCommit = "killed after a commit", killedAtFileCall = "killed at a file call"
    case killedAtRequest = "killed at a request to a printer", powerCut = "power cut", restart = "orderly restart"
    case clockJump = "clock jump", diskFull = "disk full", diskError = "disk error", refusedCommit = "commit refused"
    case failedFileCall = "file call failed"
    // Events of clients.
    case submitted, repeated = "submission repeated", created = "created without document", sent = "document added"
    case answerLost = "client's answer lost", refusal = "client refused", held, released, canceled, moved, reprioritized
    case resubmitted, purged, paused, resumed, retried = "doubt resolved: print again"
    case continued = "doubt resolved: print the rest", dropped = "doubt resolved: cancel"
    // Events of printers and workers.
    case unreachable, lostRequest = "request lost", lostAnswer = "answer lost", duplicate = "request duplicated"
    case late = "late request", busy, refused, badAnswer = "bad answer", cutOff =
        "document cut off"
    case forgot = "printer lost its jobs", restartedIDs = "printer reset its job numbers"
    case stopped = "printer stopped"
    case device = "job ended at the printer", gaveUp = "printer aborted a job", stranger = "other sender's job"
    case prepared, workerTrouble = "worker failed"
    case arrived = "document arrived", page, printed
    // Events of hosts that share a database server.
    case hostStopped = "host stopped", hostContinued = "host continued", replaced = "host replaced"
    case serverCrashed = "server crashed", failedOver = "failover", serverStarted = "server started"
    case hostCutOff = "host cut off", connectionLost = "connection lost", outcomeUnknown = "outcome unknown"
    case notificationLost = "notification lost", drained, undrained, placed = "printer placed"
    case hostRemoved = "host removed", interrupted = "transaction of another host first"
    case takenOver = "printer taken over", leaseRefused = "stale lease refused"
    case takenOverPrinting = "printer taken over with a job in progress"
}

/// The events of a simulation: their counts, and a hash that must be equal for equal seeds.
final class Trace: @unchecked Sendable {
    // Unchecked, because the class is only used on the loop's thread.

    private(set) var counts = [Int](repeating: 0, count: Happening.allCases.count)
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Whether the events are printed.
    let isSpoken: Bool

    init(isSpoken: Bool) { self.isSpoken = isSpoken }

    /// Records an event.
    func note(_ happening: Happening, at time: Double, _ words: @autoclosure () -> String = "") {
        counts[happening.index] += 1
        mix(UInt64(happening.index))
        mix(time.bitPattern)
        if isSpoken { print(time.padded, happening.rawValue, words()) }
    }

    /// Prints a text that is not an event.
    func say(at time: Double, _ words: @autoclosure () -> String) {
        if isSpoken { print(time.padded, " ", words()) }
    }

    /// Adds a number to the hash.
    func mix(_ number: UInt64) { hash = (hash ^ number) &* 0x100_0000_01B3 }
}

extension Happening {
    private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))
    var index: Int { Self.indices[self] ?? 0 }
}

extension Double {
    /// The seconds with three decimals, right-aligned.
    fileprivate var padded: String {
        let thousandths = Int((self * 1000).rounded())
        let decimals = String(1000 + thousandths % 1000).dropFirst()
        let text = "\(thousandths / 1000).\(decimals)"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}
