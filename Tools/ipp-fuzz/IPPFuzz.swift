// Sends damaged, truncated and generated requests to the IPP decoder and to simulated printers.

import FoundationEssentials
import Glibc

/// The command `ipp-fuzz`: sends invalid requests to the decoder and, if they can be decoded, to printers.
///
///     ipp-fuzz --worlds 1-4 [--requests 5000]
///
/// A world is a number that determines some newly started printers and a sequence of requests. The exit code is 1 if a
/// check failed, and 64 for a wrong command line. If the program crashes, it prints the world and the request.
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

    /// Writes a text to standard error.
    static func complain(_ words: String) { _ = words.withCString { write(2, $0, strlen($0)) } }
}

/// The command line of ipp-fuzz.
struct Options {
    static let usage = "usage: ipp-fuzz --worlds FIRST-LAST [--requests N]\n"

    private(set) var worlds: ClosedRange<UInt64> = 1...1
    private(set) var requests = 5_000

    /// Parses a command line; returns nil if the command line is invalid.
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

/// The number of requests by result.
struct Summary {
    /// The requests that the decoder rejected.
    var refused = 0
    /// The requests that were decoded and got a response.
    var answered = 0
    /// The requests whose status was successful.
    var carriedOut = 0
    /// The number of responses by status.
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
