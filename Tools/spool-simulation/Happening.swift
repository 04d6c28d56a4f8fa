// What can happen in a world, counted and traced.

/// What can happen in a world, by the words under which it is counted.
enum Happening: String, CaseIterable {
    // What the spooler went through.
    case boot, bootFailed = "boot failed", killed, killedBeforeCommit = "killed before a commit"
    case killedAfterCommit = "killed after a commit", killedAtFileCall = "killed at a file call"
    case killedAtRequest = "killed at a request to a printer", powerCut = "power cut", restart = "orderly restart"
    case clockJump = "clock jump", diskFull = "disk full", diskError = "disk error", refusedCommit = "commit refused"
    case failedFileCall = "file call failed"
    // What clients did.
    case submitted, repeated = "submission repeated", created = "created without document", sent = "document added"
    case answerLost = "client's answer lost", refusal = "client refused", held, released, canceled, moved, reprioritized
    case resubmitted, purged, paused, resumed, retried = "doubt settled: print again"
    case continued = "doubt settled: print the rest", dropped = "doubt settled: enough"
    // What printers and workers did.
    case unreachable, lostRequest = "request lost", lostAnswer = "answer lost", duplicate = "request duplicated"
    case late = "request arrived that nobody waits for", busy, refused, badAnswer = "bad answer", cutOff =
        "document cut off"
    case forgot = "printer forgot its jobs", restartedIDs = "printer restarted its numbers", stopped = "printer stopped"
    case device = "job ended at the printer", gaveUp = "printer gave a job up", stranger = "stranger's job", prepared,
        workerTrouble = "worker failed"
    case arrived = "document arrived", page, printed
}

/// What happened in a world: counts, and a sum that two runs of a seed must share.
final class Trace: @unchecked Sendable {
    // Unchecked: used on the loop's thread alone.

    private(set) var counts = [Int](repeating: 0, count: Happening.allCases.count)
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private let isSpoken: Bool

    init(isSpoken: Bool) { self.isSpoken = isSpoken }

    /// Notes what happened at a time.
    func note(_ happening: Happening, at time: Double, _ words: @autoclosure () -> String = "") {
        counts[happening.index] += 1
        mix(UInt64(happening.index))
        mix(time.bitPattern)
        if isSpoken { print(time.padded, happening.rawValue, words()) }
    }

    /// Says something that is no event of its own.
    func say(at time: Double, _ words: @autoclosure () -> String) {
        if isSpoken { print(time.padded, " ", words()) }
    }

    /// Adds a number to the sum.
    func mix(_ number: UInt64) { hash = (hash ^ number) &* 0x100_0000_01B3 }
}

extension Happening {
    private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))
    var index: Int { Self.indices[self] ?? 0 }
}

extension Double {
    /// Seconds with three decimals, right-aligned.
    fileprivate var padded: String {
        let thousandths = Int((self * 1000).rounded())
        let decimals = String(1000 + thousandths % 1000).dropFirst()
        let text = "\(thousandths / 1000).\(decimals)"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}
