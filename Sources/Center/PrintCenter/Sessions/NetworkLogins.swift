// Signs in users on the network, who have a name and a password.

import HTTPTypes
import IPP
import IPPServer
package import PrintIPP
package import PrintModel
import SpoolerClient

/// The passwords of the users on the network, and the audit log of their logins.
package struct NetworkLogins: Sendable {
    /// A function that returns the identity that a name and a password prove; nil if they are wrong.
    ///
    /// The function throws `TooManyLogins` if the password was not checked.
    var identity: @Sendable (Credentials, _ address: String) async throws -> NetworkIdentity?
    /// A function that returns whether a user still exists and has the password of the login.
    var isCurrent: @Sendable (NetworkUser) async throws -> Bool
    var record: @Sendable (AuditEntry) -> Void

    /// Creates the logins of a server.
    package init(
        identity: @escaping @Sendable (Credentials, _ address: String) async throws -> NetworkIdentity?,
        isCurrent: @escaping @Sendable (NetworkUser) async throws -> Bool,
        record: @escaping @Sendable (AuditEntry) -> Void
    ) {
        (self.identity, self.isCurrent, self.record) = (identity, isCurrent, record)
    }
}

extension Route {
    /// The path of the form with which a user on the network signs in.
    static let loginPath = "/login"

    /// The routes with which users on the network sign in.
    static let loginRoutes: [Route] = [
        .page(loginPath, .everyone, "Returns the form with which a user on the network signs in.") { visit in
            guard visit.center.ports.logins != nil else { return CenterPage.notFound(visit.request) }
            return CenterPage.signIn(visit, status: .ok)
        },
        .form(loginPath, "Signs in with a name and a password, and sets the session cookie.") { visit in
            guard let logins = visit.center.ports.logins else { return CenterPage.notFound(visit.request) }
            return try await visit.logIn(with: logins)
        },
    ]
}

extension Visit {
    /// The maximum size of the form in bytes.
    private static let mostBytes = 8 << 10

    fileprivate func logIn(with logins: NetworkLogins) async throws -> WebAnswer {
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/x-www-form-urlencoded" else {
            throw Problem(.unsupportedMediaType, "the content type is not application/x-www-form-urlencoded")
        }
        let form = try QueryText(
            String(decoding: try await request.body.collect(upTo: Self.mostBytes), as: UTF8.self))
        let (name, address) = (form["user"] ?? "", request.peer.address ?? "")
        let next = center.page(form["next"])
        var entry = AuditEntry(
            time: center.clock(), user: String(name.prefix(100)), proof: .refused, address: address,
            operation: "Log-In",
            status: "\(Status.clientErrorNotAuthenticated)")
        do {
            let credentials = Credentials(user: name, secret: form["password"] ?? "")
            guard case .user(let user) = try await logins.identity(credentials, address) else {
                logins.record(entry)
                return CenterPage.signIn(self, reason: .wrongPassword, name: name, next: next, status: .unauthorized)
            }
            entry.proof = AuditEntry.Proof.password.text
            // A user with this scope cannot subscribe to events, without which no page follows the queue.
            guard user.scope != .look else {
                entry.status = "\(Status.clientErrorNotAuthorized)"
                logins.record(entry)
                return CenterPage.signIn(self, reason: .onlyLooks, next: next, status: .forbidden)
            }
            entry.status = "\(Status.successfulOk)"
            logins.record(entry)
            // The cookie that the browser sent is never continued: another person may know it.
            if let session = call?.session { center.sessions.end(session.id) }
            let session = center.sessions.begin(for: user)
            return WebAnswer(
                .seeOther,
                headers: [.location: next, .setCookie: center.cookieHeader(request, session.cookie)])
        } catch let refusal as TooManyLogins {
            entry.status = "\(Status.serverErrorBusy)"
            logins.record(entry)
            var answer = CenterPage.signIn(
                self, reason: .tooManyPasswords(seconds: refusal.retryAfter), name: name, next: next,
                status: .tooManyRequests)
            answer.headers[.retryAfter] = "\(refusal.retryAfter)"
            return answer
        }
    }
}

extension PrintCenter {
    /// Returns the address of a page of this server, or the address of the first view for other texts.
    ///
    /// The text comes from the client: the result must not lead to another site, and not end the header.
    fileprivate func page(_ text: String?) -> String {
        guard let text, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.utf8.count <= 2048,
            case .found(let match) = table.route(.get, String(text.prefix { $0 != "?" })), match.route.isPage,
            match.route.path != Route.loginPath
        else { return configuration.homePath }
        return text
    }

    /// Returns the user of a session on the network; nil without a session.
    ///
    /// The spool is read for each request: a removed user and an old password end the session at once.
    func networkCaller(_ request: WebRequest, _ logins: NetworkLogins) async throws -> (CenterUser, BrowserSession)? {
        for cookie in cookies(in: request) {
            guard let session = sessions.session(cookie, of: nil), case .network(let user) = session.owner else {
                continue
            }
            guard try await logins.isCurrent(user) else {
                sessions.end(session.id)
                continue
            }
            return (CenterUser(user, peer: request.peer), session)
        }
        return nil
    }
}
