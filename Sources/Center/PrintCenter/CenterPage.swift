// The HTML pages of the Print Center.

import HTTPTypes
import PrintIPP

/// The HTML pages of the Print Center.
enum CenterPage {
    /// The HTML page that shows all views of the Print Center to signed-in users.
    static let shell = WebAnswer.bytes(
        CenterFiles.shared.shell, type: "text/html; charset=utf-8", headers: [.cacheControl: "no-store"])

    /// Returns the page that explains to a person without a session how to sign in.
    ///
    /// - Parameter reason: A sentence that the page shows before the instructions, such as a problem with the sign-in;
    ///   nil if only the session is missing.
    static func signIn(_ reason: String?, status: HTTPResponse.Status) -> WebAnswer {
        let body = """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>Print Center</title>
            <meta name="viewport" content="width=device-width">
            <link rel="stylesheet" href="\(CenterFiles.shared.address(of: "center.css"))">
            <main class="sign-in">
            <h1>Print Center</h1>
            <p>\(reason.map { HTMLText.escaped($0) + " " } ?? "")To open the Print Center, run this command on the \
            print server:</p>
            <pre><code>printq center</code></pre>
            <p>The command opens an address that signs you in once.</p>
            </main>
            </html>

            """
        return WebAnswer(
            status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: .bytes(Array(body.utf8)))
    }
}

extension PrintCenter.Configuration {
    /// The URL path of the view that the Print Center shows first.
    var homePath: String { service == "printsim" ? "/printers" : "/jobs" }
}
