// Reads the command line of print-fetch.

import PrintModel

/// The arguments of `print-fetch`.
struct FetchArguments {
    /// An error in the command line.
    struct Failure: Error { let message: String }

    var address = ""
    var folder = ""
    var allowsPrivate = false
    /// The size of the pages in points.
    ///
    /// The default is A4.
    var pageSize = Size(width: 595.28, height: 841.89)

    /// The address as text for messages; a long address is truncated.
    var shownAddress: String { address.utf8.count > 200 ? "\(address.prefix(200))…" : address }

    init(_ words: [String]) throws(Failure) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--allow-private": allowsPrivate = true
            case "--output": folder = try Self.value(of: word, &words)
            case "--page-size": pageSize = try Self.size(try Self.value(of: word, &words))
            default:
                guard address.isEmpty, !word.hasPrefix("--") else {
                    throw Failure(message: "unknown argument '\(word)'; \(Self.usage)")
                }
                address = word
            }
        }
        guard !address.isEmpty, !folder.isEmpty else { throw Failure(message: Self.usage) }
        let lower = address.prefix(10).lowercased()
        guard ["http:", "https:", "data:"].contains(where: { lower.hasPrefix($0) }) else {
            throw Failure(
                message: lower.hasPrefix("file:")
                    ? "cannot fetch 'file:' addresses; print a local file with 'printq submit PATH'"
                    : "the address must begin with http:, https: or data:")
        }
    }

    private static let usage = "usage: print-fetch ADDRESS --output FOLDER [--allow-private] [--page-size WIDTHxHEIGHT]"

    private static func value(of option: String, _ words: inout ArraySlice<String>) throws(Failure) -> String {
        guard let value = words.popFirst(), !value.isEmpty else {
            throw Failure(message: "\(option) requires a value; \(usage)")
        }
        return value
    }

    private static func size(_ text: String) throws(Failure) -> Size {
        let numbers = text.split(separator: "x").compactMap { Double($0) }
        guard numbers.count == 2, numbers.allSatisfy({ (36...10_000).contains($0) }) else {
            throw Failure(message: "--page-size requires a width and a height in points, such as 612x792")
        }
        return Size(width: numbers[0], height: numbers[1])
    }
}
