// HTML that needs nothing from elsewhere.

/// Pages for browsers, in one look.
package enum HTMLText {
    /// A whole page; `body` is HTML already.
    package static func page(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><title>\(escaped(title))</title>
        <meta name="viewport" content="width=device-width">
        <style>body{font:16px/1.5 sans-serif;margin:2em;max-width:50em}table{border-collapse:collapse}
        td,th{text-align:left;padding:.2em 1em .2em 0;border-bottom:1px solid #ccc}</style>
        <h1>\(escaped(title))</h1>
        \(body)
        </html>

        """
    }

    /// A table of texts; in words, when there is nothing in it.
    package static func table(_ heads: [String], _ rows: [[String]]) -> String {
        table(heads, html: rows.map { $0.map(escaped) })
    }

    /// A table whose cells are HTML already.
    package static func table(_ heads: [String], html rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "<p>None.</p>" }
        let head = heads.map { "<th>\($0)</th>" }.joined()
        let body = rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }
        return "<table><tr>\(head)</tr>\n\(body.joined(separator: "\n"))</table>"
    }

    /// A link; the address is one of our own.
    package static func link(_ address: String, _ text: String) -> String {
        "<a href=\"\(escaped(address))\">\(escaped(text))</a>"
    }

    /// Text in which nothing is markup.
    package static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
