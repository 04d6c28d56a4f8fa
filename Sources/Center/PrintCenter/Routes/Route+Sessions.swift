// The routes of sessions.

import HTTPTypes
import IPP
import IPPServer
import PrintModel
import SpoolerClient

extension Route {
    static let sessionRoutes: [Route] = [
        .open("/open", "Signs in with a one-time token, sets the session cookie, and redirects to the first view.") {
            visit in
            guard visit.center.ports.logins == nil else { return CenterPage.signIn(visit, status: .ok) }
            guard let token = visit.query["token"],
                let session = visit.center.sessions.redeem(
                    token, by: visit.request.peer.uid, extending: visit.call?.session)
            else { return CenterPage.signIn(visit, reason: .usedAddress, status: .forbidden) }
            return WebAnswer(
                .seeOther,
                headers: [
                    .location: visit.center.configuration.homePath,
                    .setCookie: visit.center.cookieHeader(visit.request, session.cookie),
                ])
        },
        .onUnixSocket(.post, "/api/v1/sessions", .provenUser, "Creates a one-time address that signs in a browser.") {
            call in
            let user = SessionUser(uid: call.user.uid, gid: call.user.gid, name: call.user.name)
            do throws(AddressError) {
                let (url, expires) = try await call.center.configuration.signInAddress(for: user, call.center.sessions)
                return .json(
                    .object([("url", .string(url)), ("expires", .time(expires))]), status: .created)
            } catch {
                throw Problem(.conflict, error.message)
            }
        },
        Route(.get, "/api/v1/session", .provenUser, "Returns the user, the server and the anti-forgery token.") {
            call in
            let center = call.center
            return .json(
                .object([
                    ("user", .string(call.user.name)), ("administrator", .bool(call.user.isAdministrator)),
                    ("host", .string(center.hostName)), ("service", .string(center.configuration.service)),
                    ("version", .string(Release.version)),
                    ("token", call.session.map { .string($0.token.text) } ?? .null),
                    ("login", .bool(call.user.networkUser != nil)),
                    ("event", .number(try await call.latestEvent())),
                    ("time", .string(LocalTime.universal(center.clock()))),
                    ("night", .string(LocalTime.universal(HoldUntil.nextNight(after: center.clock())))),
                ]))
        },
        Route(.delete, "/api/v1/session", .provenUser, "Signs out.") { call in
            if let session = call.session { call.center.sessions.end(session.id) }
            var answer = WebAnswer.noContent
            answer.headers[.setCookie] = call.center.cookieHeader(call.request, nil)
            if let logins = call.center.ports.logins {
                // The next user of the browser must not see page images of this user.
                answer.headers[.clearSiteData] = "\"cache\""
                logins.record(
                    AuditEntry(
                        time: call.center.clock(), user: call.user.name, proof: .password,
                        address: call.request.peer.address, operation: "Log-Out", status: "\(Status.successfulOk)"))
            }
            return answer
        },
    ]
}

extension PrintCenter.Configuration {
    /// Returns a one-time URL that signs a user in.
    ///
    /// - Throws: `AddressError` if the server has no TCP port and cannot open one.
    func signInAddress(
        for user: SessionUser, _ sessions: Sessions
    ) async throws(AddressError) -> (url: String, expires: UnixTime) {
        // The token exists before the port is looked up, so that an open port does not close in between.
        let (token, expires) = sessions.makeToken(for: user)
        return ("\(try await address())/open?token=\(token)", expires)
    }
}

/// The reason why a server has no address for browsers.
package struct AddressError: Error, Sendable, CustomStringConvertible {
    /// A sentence that explains what failed and what the user can do.
    package var message: String

    /// The error message, with the same content as `message`.
    package var description: String { message }

    package init(_ message: String) { self.message = message }
}
