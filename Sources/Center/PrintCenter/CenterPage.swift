// The HTML pages of the Print Center.

import HTTPTypes
import IPPServer
import PrintIPP

/// The HTML pages of the Print Center.
enum CenterPage {
    /// Returns the HTML page that shows all views of the Print Center to signed-in users.
    static func shell(_ request: WebRequest) -> WebAnswer {
        .bytes(
            CenterFiles.shared.shell(for: request.path, in: PageLanguage(request)), type: "text/html; charset=utf-8",
            headers: [.cacheControl: "no-store"])
    }

    /// The reason why a sign-in failed.
    enum SignInFailure {
        case usedAddress
        case wrongPassword
        /// Too many wrong passwords; the next one is checked after the given time in seconds.
        case tooManyPasswords(seconds: Int)
        /// A user of the network with the scope `look`.
        case onlyLooks

        fileprivate func text(in language: PageLanguage) -> String {
            switch self {
            case .usedAddress: language.text("sign-in.used")
            case .wrongPassword: language.text("sign-in.wrong")
            case .tooManyPasswords(let seconds):
                language.text("sign-in.wait").replacing("{seconds}", with: "\(seconds)")
            case .onlyLooks: language.text("sign-in.only-looks")
            }
        }
    }

    /// Returns the page that explains to a person without a session how to sign in.
    ///
    /// Clients on the network receive a form for the name and the password.
    ///
    /// - Parameters:
    ///   - reason: The problem with the sign-in; nil if only the session is missing.
    ///   - name: The name that the person entered in the form.
    ///   - next: The address of the page that follows the form; nil for the page of the request.
    static func signIn(
        _ visit: Visit, reason: SignInFailure? = nil, name: String = "", next: String? = nil,
        status: HTTPResponse.Status
    ) -> WebAnswer {
        let language = PageLanguage(visit.request)
        let cause = reason?.text(in: language)
        guard visit.center.ports.logins == nil else {
            let request = visit.request
            let own = request.path + (request.query.isEmpty ? "" : "?\(request.query)")
            return loginForm(language, cause: cause, name: name, next: next ?? own, status: status)
        }
        return page(
            language, status: status,
            """
            \(cause.map { "<p>\($0)</p>" } ?? "")
            <p>\(language.text("sign-in.how"))</p>
            <pre><code>\(visit.center.configuration.command)</code></pre>
            <p>\(language.text("sign-in.effect"))</p>
            """)
    }

    /// Returns the page with the form for the name and the password of a user on the network.
    private static func loginForm(
        _ language: PageLanguage, cause: String?, name: String, next: String, status: HTTPResponse.Status
    ) -> WebAnswer {
        // The person enters the wrong value again, which is mostly the password.
        let (focusOnName, focusOnPassword) = name.isEmpty ? (" autofocus", "") : ("", " autofocus")
        var answer = page(
            language, status: status,
            """
            <form class="login" method="post" action="\(Route.loginPath)">
            \(cause.map { "<p class=\"field-error\" role=\"alert\">\($0)</p>" } ?? "")
            <label for="user">\(language.text("sign-in.name"))</label>
            <input class="field" id="user" name="user" autocomplete="username" autocapitalize="none" \
            spellcheck="false" maxlength="100" value="\(HTMLText.escaped(name))" required\(focusOnName)>
            <label for="password">\(language.text("sign-in.password"))</label>
            <input class="field" id="password" name="password" type="password" autocomplete="current-password" \
            required\(focusOnPassword)>
            <input type="hidden" name="next" value="\(HTMLText.escaped(next))">
            <button class="button primary">\(language.text("sign-in"))</button>
            </form>
            """)
        answer.headers[.contentSecurityPolicy] = WebAnswer.contentSecurityPolicy
            .replacing("form-action 'none'", with: "form-action 'self'")
        // With the usual policy, browsers would not name the origin of the form.
        answer.headers[.referrerPolicy] = "same-origin"
        return answer
    }

    /// Returns the page for a person who followed a link from a page of another site.
    ///
    /// Browsers send no cookie with such a request. The page has a link to the same path, which is then a request of
    /// the server's own page. A page of another site cannot follow that link by itself.
    static func foreignLink(_ request: WebRequest) -> WebAnswer {
        let language = PageLanguage(request)
        let target = request.path + (request.query.isEmpty ? "" : "?\(request.query)")
        return page(
            language, status: .forbidden,
            """
            <p>\(language.text("foreign-link.cause"))</p>
            <a class="button primary" href="\(HTMLText.escaped(target))">\(language.text("foreign-link.open"))</a>
            """)
    }

    /// Returns the page for an address that does not exist.
    static func notFound(_ request: WebRequest) -> WebAnswer {
        let language = PageLanguage(request)
        return page(
            language, status: .notFound,
            """
            <p>\(language.text("not-found"))</p>
            <a class="button primary" href="/">\(language.text("not-found.open"))</a>
            """)
    }

    /// Returns a page that does not require JavaScript.
    private static func page(_ language: PageLanguage, status: HTTPResponse.Status, _ content: String) -> WebAnswer {
        let title = language.text("app")
        let body = """
            <!doctype html>
            <html lang="\(language.rawValue)"><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" type="image/svg+xml" href="\(CenterFiles.shared.address(of: "frame/icon.svg"))">
            <link rel="stylesheet" href="\(CenterFiles.shared.address(of: "frame/center.css"))">
            <main class="empty alone">
            <h1>\(title)</h1>
            \(content)
            </main>
            </html>

            """
        return WebAnswer(
            status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: .bytes(Array(body.utf8)))
    }
}

/// The language of a page that does not require JavaScript; `words.js` selects the language of the other pages.
enum PageLanguage: String, CaseIterable {
    case english = "en"
    case japanese = "ja"

    /// Selects the first language of the browser that the pages support; English by default.
    init(_ request: WebRequest) {
        let tags = (request.headers[.acceptLanguage] ?? "").lowercased().split(separator: ",")
        let languages = tags.map { $0.drop { $0 == " " }.prefix { $0.isLetter } }
        self = languages.lazy.compactMap { PageLanguage(rawValue: String($0)) }.first ?? .english
    }

    /// Returns the text of a key in the language's file (`Web/words/`).
    func text(_ key: String) -> String { CenterFiles.shared.texts[self]?[key] ?? key }
}

extension PrintCenter.Configuration {
    /// The URL path of the view that the Print Center shows first.
    var homePath: String {
        service == "printsim" ? onlyPrinter.map { "/printers/\($0)" } ?? "/printers" : "/jobs"
    }

    /// The command that opens the Print Center.
    var command: String { service == "printsim" ? "printsim center" : "printq center" }
}
