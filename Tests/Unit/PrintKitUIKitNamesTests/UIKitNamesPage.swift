// Writes the table of UIKit's names from the sources of PrintKitUIKitNames and uikit-names.json.

import Foundation

/// The article that lists UIKit's names, as the sources and the data define it.
struct UIKitNamesPage {
    /// The data of the article: names that are not declared in the sources, and sentences.
    struct Source: Decodable {
        struct Section: Decodable {
            var title: String
            /// The names of iOS, and the names or a sentence of this project.
            var rows: [[String]]
        }

        /// The names of PrintKit and PrintGraphics for programs that do not use `PrintKitUIKitNames`.
        var sections: [Section]
        /// Every name of the guides, with the equal name of this project, or a reason after "none:".
        var guide: [String: String]
        /// Code from iOS that does not compile or differs, with the reason and the replacement.
        var reasons: [[String]]
        /// Sentences about different behavior.
        var differences: [String]
    }

    let source: Source
    let sources: [String]

    init(root: URL) throws {
        let tests = root.appendingPathComponent("Tests/Unit/PrintKitUIKitNamesTests/uikit-names.json")
        source = try JSONDecoder().decode(Source.self, from: Data(contentsOf: tests))
        let folder = root.appendingPathComponent("Sources/PrintKit/PrintKitUIKitNames")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        sources = try (files ?? []).filter { $0.pathExtension == "swift" }.map(\.path).sorted()
            .map { try String(contentsOfFile: $0, encoding: .utf8) }
    }

    /// The declarations of the module: aliases, types, functions and constants with their first sentence.
    var declarations: [(name: String, meaning: String)] {
        sources.flatMap { text in
            text.matches(
                of:
                    /\/\/\/ ([^\n]*)\n(?:\/\/\/[^\n]*\n)*(?:@\w+\n)*(?:public|open) (?:final |static )*(typealias|class|struct|enum|protocol|func|let) (\w+)(?: = (?:PrintKit\.)?([^\n]+))?/
            ).filter { Self.isTopLevel($0.range.lowerBound, in: text) }
                .map { match in
                    let isAlias = match.2 == "typealias"
                    let sentence = String(match.1)
                    return (String(match.3), isAlias ? "`\(match.4 ?? "")`: \(sentence.lowercasedFirst)" : sentence)
                }
        }.sorted { $0.name.lowercased() < $1.name.lowercased() }
    }

    /// The members that the module adds to the types of PrintKit, PrintGraphics and Foundation.
    var members: [(type: String, names: [String])] {
        var found: [String: [String]] = [:]
        for text in sources {
            for block in text.matches(of: /(?m)^extension ([\w.]+)[^{\n]*\{\n((?s).*?)^\}/) {
                let body = String(block.2)
                let names = body.matches(
                    of:
                        /(?m)^    public (?:static |convenience |final )*(?:(?:func|var|let|typealias|enum) (`?\w+`?)|(init)\??)(\([^\n]*)?/
                ).map { match in
                    let name = String(match.1 ?? match.2 ?? "")
                    return name + Self.labels(in: match.3.map { _ in String(body[match.range.lowerBound...]) })
                }
                if !names.isEmpty { found[String(block.1), default: []] += names }
            }
        }
        return found.map { ($0.key, Array(Set($0.value)).sorted()) }.sorted { $0.0 < $1.0 }
    }

    /// Returns the labels of a function's parameters, such as `(x:y:)`; empty for a property.
    private static func labels(in declaration: String?) -> String {
        guard let declaration, let open = declaration.firstIndex(of: "(") else { return "" }
        var (depth, labels, word, isLabel) = (0, "", "", true)
        for character in declaration[open...] {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">": depth -= 1
            case ":" where depth == 1 && isLabel:
                labels += (word.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "") + ":"
                isLabel = false
            case "," where depth == 1: (word, isLabel) = ("", true)
            default: if depth == 1, isLabel { word.append(character) }
            }
            if depth == 0 { break }
        }
        return "(\(labels))"
    }

    private static func isTopLevel(_ index: String.Index, in text: String) -> Bool {
        index == text.startIndex || text[text.index(before: index)] == "\n"
    }

    var text: String {
        """
        # From UIKit

        UIKit's, Core Graphics' and Core Text's names, and their equals in PrintKit and PrintGraphics.

        ## Overview

        Code from iOS compiles after `import UIKit` is replaced with `import PrintKitUIKitNames`, which also exports
        Foundation, PrintKit and PrintGraphics. New code needs no prefix: the names of PrintKit and PrintGraphics are
        UIKit's names without `UI`, and many classes and references are values.

        `PRINTQ_WRITE_UIKIT_NAMES=1 scripts/test --filter UIKitNamesTests` writes this page from the sources of
        `PrintKitUIKitNames` and from `uikit-names.json`.

        ### Names of PrintKitUIKitNames

        | Name | Meaning |
        |---|---|
        \(declarations.map { "| `\($0.name)` | \($0.meaning) |" }.joined(separator: "\n"))

        ### Members of PrintKitUIKitNames

        These functions and properties are additions to types that exist without the module.

        | Type | Members |
        |---|---|
        \(members.map { type, names in "| `\(type)` | \(names.map { "`\($0)`" }.joined(separator: ", ")) |" }
            .joined(separator: "\n"))

        ### Names of the guides

        Every name in the text and the listings of the guides *Drawing and Printing* and *Document Interaction*.

        | Guide | Here |
        |---|---|
        \(source.guide.sorted { $0.key.lowercased() < $1.key.lowercased() }.map { "| `\($0)` | \($1) |" }
            .joined(separator: "\n"))

        ### Code that does not compile, or differs

        | Code of iOS | Reason and replacement |
        |---|---|
        \(source.reasons.map { "| \($0[0]) | \($0[1]) |" }.joined(separator: "\n"))

        \(source.sections.map { section in
            """
            ### Without the module: \(section.title.lowercasedFirst)

            | iOS | PrintKit and PrintGraphics |
            |---|---|
            \(section.rows.map { "| \($0[0]) | \($0[1]) |" }.joined(separator: "\n"))
            """
        }.joined(separator: "\n\n"))

        ### Different behavior

        \(source.differences.map { "- \($0)" }.joined(separator: "\n"))

        """
    }
}

extension String {
    /// The text with a first letter in lower case, unless the second letter is a capital, too.
    fileprivate var lowercasedFirst: String {
        dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
    }
}
