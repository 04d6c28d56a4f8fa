import Foundation
import HTTPTypes
import IPPServer
import PrintIPP
import PrintModel
import Testing

@testable import PrintCenter

/// Tests of the logins and sessions of users on the network.
struct NetworkLoginTests {
    @Test func `a name and a password create a session, whose cookie only this host receives over TLS`() async throws {
        let network = try await NetworkBench()
        let answer = await network.logIn("ann", "correct horse", next: "/jobs/3?show=all")
        #expect(answer.status == .seeOther && answer.headers[.location] == "/jobs/3?show=all")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("__Host-printq-session-8631="))
        let parts = cookie.split(separator: ";").dropFirst().map { String($0.drop { $0 == " " }) }
        #expect(parts == ["Path=/", "HttpOnly", "SameSite=Strict", "Secure", "Max-Age=43200"])
        let browser = try await network.signIn("ann")
        let session = try await browser.send(.get, "/api/v1/session").json()
        #expect(session["user"] as? String == "ann" && session["login"] as? Bool == true)
        #expect(session["administrator"] as? Bool == false)
        let local = try await network.bench.signIn().send(.get, "/api/v1/session").json()
        #expect(local["login"] as? Bool == false)
    }

    @Test(arguments: [
        "//evil.example", "https://evil.example/", "/\\evil.example", "/jobs\r\nSet-Cookie: a=b", "/api/v1/jobs",
        "/login", "/nowhere", "",
    ])
    func `after the login, no address of the form leads to another site or ends the header`(next: String) async throws {
        let network = try await NetworkBench()
        #expect(await network.logIn("ann", "correct horse", next: next).headers[.location] == "/jobs")
    }

    @Test func `a page without a session shows the form without scripts, and leads to the page after the login`()
        async throws
    {
        let network = try await NetworkBench()
        let page = await network.send(.get, "/jobs/3")
        #expect(page.status == .unauthorized)
        #expect(page.text.contains(#"<form class="login" method="post" action="/login">"#))
        #expect(page.text.contains(#"name="next" value="/jobs/3""#) && !page.text.contains("<script"))
        #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self'") == true)
        #expect(page.headers[.contentSecurityPolicy]?.contains("unsafe-inline") == false)
        #expect(page.headers[.referrerPolicy] == "same-origin")
        let japanese = await network.send(.get, "/login", headers: [.acceptLanguage: "ja"])
        #expect(japanese.status == .ok && japanese.text.contains(">パスワード</label>"))
        // The API names the page.
        let refusal = await network.send(.get, "/api/v1/jobs")
        #expect(refusal.status == .unauthorized && refusal.text.contains("/login"))
        // This machine's users have no login page.
        #expect(await network.bench.socket(.get, "/login").status == .notFound)
    }

    @Test func `wrong passwords are refused and recorded, and too many are refused without a check`() async throws {
        let network = try await NetworkBench()
        for (name, password) in [("ann", "wrong horse"), ("eve", "correct horse"), ("ann", "")] {
            let answer = await network.logIn(name, password)
            #expect(answer.status == .unauthorized && answer.headers[.setCookie] == nil)
            #expect(answer.text.contains("The name or the password is wrong.") && !answer.text.contains(#"horse""#))
        }
        let named = await network.logIn("\"><b>", "wrong horse")
        #expect(named.text.contains(#"value="&quot;&gt;&lt;b&gt;" required>"#), "\(named.text)")
        network.audit.withLock { _ = $0.popLast() }
        network.pause.withLock { $0 = 42 }
        let busy = await network.logIn("ann", "correct horse", next: "/new")
        #expect(busy.status == .tooManyRequests && busy.headers[.retryAfter] == "42")
        #expect(busy.headers[.setCookie] == nil && busy.text.contains("Try again in 42 seconds."))
        #expect(busy.text.contains(#"value="/new""#))
        network.pause.withLock { $0 = nil }
        // A user who may only look cannot follow the events of a page.
        let reader = await network.logIn("tom", "only looks")
        #expect(reader.status == .forbidden && reader.headers[.setCookie] == nil)
        _ = await network.logIn("ann", "correct horse")
        let entries = network.audit.withLock { $0 }
        #expect(entries.map(\.user) == ["ann", "eve", "ann", "ann", "tom", "ann"])
        #expect(entries.map(\.proof) == ["refused", "refused", "refused", "refused", "password", "password"])
        #expect(
            entries.map(\.status) == [
                "client-error-not-authenticated", "client-error-not-authenticated", "client-error-not-authenticated",
                "server-error-busy", "client-error-not-authorized", "successful-ok",
            ])
        #expect(entries.allSatisfy { $0.operation == "Log-In" && $0.address == "192.0.2.7" })
    }

    @Test func `a login requires the own form: pages of other sites cannot sign a browser in`() async throws {
        let network = try await NetworkBench()
        let form = "user=ann&password=correct+horse"
        for (name, value) in [
            (HTTPField.Name.origin, "https://evil.example"), (.origin, "null"),
            (.origin, "http://\(NetworkBench.host)"), (.fetchSite, "cross-site"), (.fetchSite, "same-site"),
        ] {
            let answer = await network.send(.post, "/login", headers: [name: value], form: form)
            #expect(answer.status == .forbidden && answer.headers[.setCookie] == nil, "\(name) \(value)")
        }
        #expect(await network.send(.post, "/login").status == .unsupportedMediaType)
        let long = await network.send(.post, "/login", form: form + String(repeating: "a", count: 9000))
        #expect(long.status == .contentTooLarge)
        #expect(await network.send(.post, "/login", form: form).status == .seeOther)
    }

    @Test func `a session ends when the user is removed or the password changes`() async throws {
        let network = try await NetworkBench()
        for change in [nil, NetworkUser(name: "ann", scope: .submit, createdAt: 9)] {
            let browser = try await network.signIn("ann")
            #expect(await browser.send(.get, "/api/v1/jobs").status == .ok)
            let before = network.users.withLock { users in
                let before = users["ann"]
                users["ann"] = change.map { ($0, "new password") }
                return before
            }
            #expect(await browser.send(.get, "/api/v1/jobs").status == .unauthorized)
            // The session does not come back with the user.
            network.users.withLock { $0["ann"] = before }
            #expect(await browser.send(.get, "/api/v1/jobs").status == .unauthorized)
        }
    }

    @Test func `after signing out, a stolen cookie is refused, and the browser deletes cached pages`() async throws {
        let network = try await NetworkBench()
        let (browser, other) = (try await network.signIn("ann"), try await network.signIn("bob"))
        let end = await browser.send(.delete, "/api/v1/session")
        #expect(end.status == .noContent && end.headers[.clearSiteData] == "\"cache\"")
        #expect(end.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(await browser.send(.get, "/api/v1/session").status == .unauthorized)
        #expect(await other.send(.get, "/api/v1/session").status == .ok)
        #expect(network.audit.withLock { $0.last }.map { "\($0.operation) \($0.user)" } == "Log-Out ann")
    }

    @Test func `a session ends after two hours without requests, and at the latest after twelve hours`() async throws {
        let network = try await NetworkBench()
        let browser = try await network.signIn("ann")
        for _ in 0..<11 {
            network.bench.now.withLock { $0 += 3600 }
            #expect(await browser.send(.get, "/api/v1/jobs").status == .ok)
        }
        network.bench.now.withLock { $0 += 3600 }
        #expect(await browser.send(.get, "/api/v1/jobs").status == .unauthorized)
        let idle = try await network.signIn("ann")
        network.bench.now.withLock { $0 += 7200 }
        #expect(await idle.send(.get, "/api/v1/jobs").status == .unauthorized)
    }

    @Test func `a login never continues a session that the browser already has`() async throws {
        let network = try await NetworkBench()
        let attacker = try await network.signIn("bob")
        // The attacker has put the own cookie into the browser of the victim.
        let victim = try await network.signIn("ann", cookie: attacker.cookie)
        #expect(victim.cookie != attacker.cookie && victim.token != attacker.token)
        #expect(await attacker.send(.get, "/api/v1/session").status == .unauthorized)
        #expect(try await victim.send(.get, "/api/v1/session").member("user") == "ann")
        let invented = try await network.signIn("ann", cookie: "__Host-printq-session-8631=mine.secret")
        #expect(!invented.cookie.contains("mine"))
    }

    @Test func `without TLS, no cookie and no password is read`() async throws {
        let network = try await NetworkBench()
        let browser = try await network.signIn("ann")
        for path in ["/api/v1/jobs", "/jobs", "/login"] {
            let answer = await network.send(.get, path, headers: [.cookie: browser.cookie], isEncrypted: false)
            #expect(answer.status == .upgradeRequired, "\(path)")
        }
        let form = "user=ann&password=correct+horse"
        #expect(await network.send(.post, "/login", form: form, isEncrypted: false).status == .upgradeRequired)
        #expect(network.audit.withLock { $0.count } == 1)
    }

    @Test func `sessions of this machine and of the network are separate, and no connection signs in`() async throws {
        let network = try await NetworkBench()
        let (local, remote) = (try await network.bench.signIn(), try await network.signIn("ann"))
        let value = local.cookie.drop { $0 != "=" }
        for cookie in [local.cookie, "__Host-\(local.cookie)", "__Host-printq-session-8631\(value)"] {
            #expect(await network.send(.get, "/api/v1/jobs", headers: [.cookie: cookie]).status == .unauthorized)
        }
        let back = "printq-session-8631" + remote.cookie.drop { $0 != "=" }
        var request = local.request(.get, "/api/v1/jobs")
        for cookie in [remote.cookie, back] {
            request.headers[.cookie] = cookie
            #expect(await network.bench.center.answer(to: request).status == .unauthorized)
        }
        // The kernel reports the user of a client on this machine, who has the rights of the login only.
        let root = Peer.tcp(address: "127.0.0.1", port: 1, uid: 0)
        #expect(await network.send(.get, "/api/v1/jobs", from: root).status == .unauthorized)
        let answer = await network.send(.get, "/api/v1/session", headers: [.cookie: remote.cookie], from: root)
        #expect(try answer.json()["administrator"] as? Bool == false)
        let token = network.bench.sessions.makeToken(for: SessionUser(uid: 0, gid: 0, name: "root")).token
        #expect(await network.send(.get, "/open?token=\(token)").headers[.setCookie] == nil)
    }

    @Test func `a user on the network changes own jobs only, also against a local user with root's rights`()
        async throws
    {
        let network = try await NetworkBench()
        let (own, other) = (
            try await network.bench.addJob("letter"), try await network.bench.addJob("salaries", owner: "bob")
        )
        let browser = try await network.signIn("ann")
        let list = await browser.send(.get, "/api/v1/jobs")
        #expect(list.text.contains("letter") && !list.text.contains("salaries") && !list.text.contains("bob"))
        #expect(await browser.send(.post, "/api/v1/jobs/\(other)/cancel").status == .forbidden)
        #expect(await browser.send(.post, "/api/v1/jobs/\(own)/cancel").status == .ok)
        #expect(try await network.bench.spool.job(other)?.state == .pending)
        #expect(try await network.bench.spool.job(own)?.state == .canceled)
    }

    @Test func `the stored sessions of this machine keep their format`() throws {
        var table = SessionTable()
        let user = SessionUser(uid: 1000, gid: 1000, name: "ann")
        let session = table.begin(for: .local(user), now: 0)
        let stored = """
            [{"id":"a","secret":{"text":"b"},"token":{"text":"c"},"createdAt":1,"usedAt":2,
            "user":{"uid":1000,"gid":1000,"name":"ann"}}]
            """
        let read = try JSONDecoder().decode([BrowserSession].self, from: Data(stored.utf8))
        #expect(read.first?.owner == session.owner)
        let written = String(decoding: try JSONEncoder().encode([session]), as: UTF8.self)
        #expect(written.contains(#""user":{"#))
    }
}
