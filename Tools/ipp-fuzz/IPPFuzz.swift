// ipp-fuzz: requests that were damaged, cut off or made up, put to the decoder and to simulated printers.

import FoundationEssentials
import Glibc

/// `ipp-fuzz`: puts requests that no honest client sends to the decoder and, where they can be read, to printers.
///
///     ipp-fuzz --worlds 1-4 [--requests 5000]
///
/// A world is a number that decides its requests: a few printers that have just been switched on, and so many requests,
/// one after the other. It ends with 1 when something was wrong, with 64 when it was called wrongly. When the program
/// itself is at fault and dies, its last words are the world and the request.
@main
enum IPPFuzz {
    static func main() async {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            complain(Options.usage)
            exit(64)
        }
        LastWords.prepare()
        var summary = Summary()
        for world in options.worlds {
            do {
                summary.add(try await FuzzedWorld.run(world, requests: options.requests))
            } catch {
                complain("ipp-fuzz: world \(world): \(error)\n")
                exit(1)
            }
        }
        print(summary.words)
        exit(summary.refused > 0 && summary.answered > 0 ? 0 : 1)
    }

    /// A line on standard error.
    static func complain(_ words: String) { _ = words.withCString { write(2, $0, strlen($0)) } }
}

/// The command line of ipp-fuzz.
struct Options {
    static let usage = "usage: ipp-fuzz --worlds FIRST-LAST [--requests N]\n"

    private(set) var worlds: ClosedRange<UInt64> = 1...1
    private(set) var requests = 5_000

    /// The options of a command line; nil when it makes no sense.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let name = rest.removeFirst()
            guard !rest.isEmpty else { return nil }
            let bounds = rest.removeFirst().split(separator: "-").map { UInt64($0) }
            guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, 0 < first, first <= last else {
                return nil
            }
            switch name {
            case "--worlds": worlds = first...last
            case "--requests": requests = Int(first)
            default: return nil
            }
        }
    }
}

/// What became of requests.
struct Summary {
    /// What the decoder refused.
    var refused = 0
    /// What was read and answered.
    var answered = 0
    /// Of these, what was carried out.
    var carriedOut = 0
    /// The answers by their status.
    var statuses: [String: Int] = [:]

    mutating func add(_ other: Summary) {
        refused += other.refused
        answered += other.answered
        carriedOut += other.carriedOut
        statuses.merge(other.statuses, uniquingKeysWith: +)
    }

    var words: String {
        let list = statuses.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value) \($0.key)" }
        return """
            \(refused + answered) requests: \(refused) could not be read, \(answered) were answered, \
            \(carriedOut) of these carried out
            \(list.joined(separator: "\n"))
            """
    }
}
