// A Print Center for clients on the network, whose users have passwords of the test.

import Foundation
import HTTPTypes
import IPPServer
import PrintIPP
import PrintModel
import Testing

@testable import PrintCenter

/// The Print Center for clients on the network, over the spool of a ``CenterBench``.
final class NetworkBench: Sendable {
    static let host = "print.example.com:8631"
    static let peer = Peer.tcp(address: "192.0.2.7", port: 50_000)

    let bench: CenterBench
    let center: PrintCenter
    let users = SharedValue<[String: (user: NetworkUser, password: String)]>([
        "ann": (NetworkUser(name: "ann", scope: .submit, createdAt: 1), "correct horse"),
        "bob": (NetworkUser(name: "bob", scope: .submit, createdAt: 2), "battery staple"),
        "adm": (NetworkUser(name: "adm", scope: .manage, createdAt: 3), "manage all"),
        "tom": (NetworkUser(name: "tom", scope: .look, createdAt: 4), "only looks"),
    ])
    /// The time in seconds until passwords are checked again; nil for now.
    let pause = SharedValue<Int?>(nil)
    let audit = SharedValue<[AuditEntry]>([])

    init(ports: Ports = Ports()) async throws {
        bench = try await CenterBench(ports: ports)
        let logins = NetworkLogins { [users, pause] credentials, _ in
            if let seconds = pause.withLock({ $0 }) { throw TooManyLogins(retryAfter: seconds) }
            let found = users.withLock { $0[credentials.user ?? ""] }
            return found?.password == credentials.secret ? found.map { .user($0.user) } : nil
        } isCurrent: { [users] user in
            users.withLock { $0[user.name]?.user == user }
        } record: { [audit] entry in
            audit.withLock { $0.append(entry) }
        }
        center = bench.center.onNetwork(
            names: ["print.example.com"], listeners: [.tcp(host: "192.0.2.1", port: 8631)], logins: logins)
    }

    /// Sends a request as a browser without a session does, which the server receives with TLS by default.
    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], form: String? = nil,
        isEncrypted: Bool = true, from peer: Peer = NetworkBench.peer
    ) async -> WebAnswer {
        var headers = headers
        if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        return await center.answer(
            to: WebRequest(
                method, path, headers: headers, host: Self.host,
                body: form.map { WebBody(Array($0.utf8)) } ?? .empty, peer: peer, isEncrypted: isEncrypted))
    }

    /// Sends the form of the login page.
    func logIn(_ name: String, _ password: String, next: String = "", cookie: String? = nil) async -> WebAnswer {
        func encoded(_ text: String) -> String {
            text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        var headers: HTTPFields = [.origin: "https://\(Self.host)", .fetchSite: "same-origin"]
        if let cookie { headers[.cookie] = cookie }
        return await send(
            .post, "/login", headers: headers,
            form: "user=\(encoded(name))&password=\(encoded(password))&next=\(encoded(next))")
    }

    /// Signs a user in, and returns a client with the session.
    func signIn(_ name: String, cookie: String? = nil) async throws -> Browser {
        let password = try #require(users.withLock { $0[name]?.password })
        let set = try #require(await logIn(name, password, cookie: cookie).headers[.setCookie])
        return try await Browser(
            center, cookie: String(set.prefix { $0 != ";" }), peer: Self.peer, host: Self.host)
    }
}
