// The routes of sessions.

import HTTPTypes
import PrintModel
import PrintqOutput
import SpoolerClient

extension Route {
    /// The routes for sessions.
    static let sessionRoutes: [Route] = [
        .open("/open", "Signs in with a one-time token, sets the session cookie, and redirects to the first view.") {
            visit in
            guard let token = visit.query["token"],
                let session = visit.center.sessions.redeem(
                    token, by: visit.request.peer.uid, extending: visit.call?.session)
            else { return CenterPage.signIn(visit, reason: .usedAddress, status: .forbidden) }
            return WebAnswer(
                .seeOther,
                headers: [
                    .location: visit.center.configuration.homePath,
                    .setCookie: PrintCenter.cookieHeader(visit.request, session.cookie),
                ])
        },
        .onUnixSocket(.post, "/api/v1/sessions", "Creates a one-time address that signs in a browser.") { call in
            let user = SessionUser(uid: call.user.uid, gid: call.user.gid, name: call.user.name)
            guard let (url, expires) = call.center.signInAddress(for: user) else {
                throw Problem(.conflict, call.center.configuration.noAddress)
            }
            return .json(
                .object([("url", .string(url)), ("expires", .time(expires))]), status: .created)
        },
        Route(.get, "/api/v1/session", "Returns the user, the server and the anti-forgery token.") { call in
            let center = call.center
            return .json(
                .object([
                    ("user", .string(call.user.name)), ("administrator", .bool(call.user.isAdministrator)),
                    ("host", .string(center.hostName)), ("service", .string(center.configuration.service)),
                    ("version", .string(Release.version)),
                    ("token", call.session.map { .string($0.token.text) } ?? .null),
                    ("event", .number(try await call.latestEvent())),
                    ("time", .string(LocalTime.universal(center.clock()))),
                ]))
        },
        Route(.delete, "/api/v1/session", "Signs out.") { call in
            if let session = call.session { call.center.sessions.end(session.id) }
            var answer = WebAnswer.noContent
            answer.headers[.setCookie] = PrintCenter.cookieHeader(call.request, nil)
            return answer
        },
    ]
}

extension PrintCenter {
    /// Returns a one-time URL that signs a user in; nil if the server has no TCP port.
    func signInAddress(for user: SessionUser) -> (url: String, expires: UnixTime)? {
        configuration.address().map { address in
            let (token, expires) = sessions.makeToken(for: user)
            return ("\(address)/open?token=\(token)", expires)
        }
    }
}

extension PrintCenter.Configuration {
    /// The error message for a server without a TCP port.
    var noAddress: String {
        "\(service) has no TCP port for browsers; set 'listen' in \(service).json5 to \"127.0.0.1:8631\" and restart "
            + "\(service), or use the option --listen 127.0.0.1:8631"
    }
}
