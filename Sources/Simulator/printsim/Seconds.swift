// Durations on the command line.

import ArgumentParser

/// A duration on the command line, from 0 to 1,000,000 seconds.
struct Seconds: Sendable, CustomStringConvertible {
    let count: Double

    init(_ count: Double) { self.count = count }

    static func parse(_ text: String) throws -> Seconds {
        guard let count = Double(text), (0...1_000_000).contains(count) else {
            throw ValidationError("expected a number of seconds from 0 to 1000000")
        }
        return Seconds(count)
    }

    var duration: Duration { .seconds(count) }

    var description: String {
        let number = count.rounded() == count ? "\(Int(count))" : "\(count)"
        return "\(number) second\(count == 1 ? "" : "s")"
    }
}
