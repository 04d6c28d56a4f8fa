// Self-contained HTML pages.

/// Functions that generate web pages in a common style.
package enum HTMLText {
    /// Returns a complete HTML page.
    ///
    /// `title` is plain text, and `body` is HTML.
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

    /// Returns an HTML table of texts, or a sentence if the table has no rows.
    package static func table(_ heads: [String], _ rows: [[String]]) -> String {
        table(heads, html: rows.map { $0.map(escaped) })
    }

    /// Returns an HTML table whose cells contain HTML.
    package static func table(_ heads: [String], html rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "<p>None.</p>" }
        let head = heads.map { "<th>\($0)</th>" }.joined()
        let body = rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }
        return "<table><tr>\(head)</tr>\n\(body.joined(separator: "\n"))</table>"
    }

    /// The address must be an address of this server.
    package static func link(_ address: String, _ text: String) -> String {
        "<a href=\"\(escaped(address))\">\(escaped(text))</a>"
    }

    /// Returns text with all markup characters escaped.
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
