// Spans of time on the command line.

import ArgumentParser

/// A span of time that an option names in seconds, from 0 to 1,000,000.
struct Seconds: Sendable, CustomStringConvertible {
    /// How many.
    let count: Double

    init(_ count: Double) { self.count = count }

    /// Reads what an option was given.
    static func parse(_ text: String) throws -> Seconds {
        guard let count = Double(text), (0...1_000_000).contains(count) else {
            throw ValidationError("it takes seconds from 0 to 1000000")
        }
        return Seconds(count)
    }

    var duration: Duration { .seconds(count) }

    var description: String {
        let number = count.rounded() == count ? "\(Int(count))" : "\(count)"
        return "\(number) second\(count == 1 ? "" : "s")"
    }
}
