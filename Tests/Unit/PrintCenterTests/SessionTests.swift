import Foundation
import HTTPTypes
import IPPServer
import PrintModel
import Synchronization
import Testing

@testable import PrintCenter

struct SessionTests {
    private let user = SessionUser(uid: 1000, gid: 1000, name: "ann")

    private func session(in table: inout SessionTable, now: UnixTime) throws -> BrowserSession {
        let session = table.redeem(table.makeToken(for: user, now: now), by: nil, now: now)
        return try #require(session)
    }

    @Test func `a one-time token is accepted only once`() {
        var table = SessionTable()
        let token = table.makeToken(for: user, now: 0)
        #expect(table.redeem(token, by: 1000, now: 1)?.owner == .local(user))
        #expect(table.redeem(token, by: 1000, now: 1) == nil)
    }

    @Test func `a one-time token expires after a minute`() {
        var table = SessionTable()
        let (early, late) = (table.makeToken(for: user, now: 0), table.makeToken(for: user, now: 0))
        #expect(table.redeem(early, by: nil, now: 59) != nil)
        #expect(table.redeem(late, by: nil, now: 60) == nil)
    }

    @Test func `a one-time token is refused for another user and remains valid for the token's owner`() {
        var table = SessionTable()
        let token = table.makeToken(for: user, now: 0)
        #expect(table.redeem(token, by: 1001, now: 1) == nil)
        #expect(table.redeem(token, by: 1000, now: 1) != nil)
    }

    @Test(arguments: ["", ".", "a.b", "a.b.c", "…", String(repeating: "a", count: 10_000)])
    func `a malformed token is accepted neither as a one-time token nor as a session cookie`(_ text: String) {
        var table = SessionTable()
        _ = table.makeToken(for: user, now: 0)
        #expect(table.redeem(text, by: nil, now: 0) == nil && table.session(text, of: nil, now: 0) == nil)
    }

    @Test func `a session ends after 12 hours without requests, and at the latest after 7 days`() throws {
        var table = SessionTable()
        let session = try session(in: &table, now: 0)
        var now = 0.0
        while now < SessionTable.mostSeconds - 11 * 3600 {
            now += 11 * 3600
            #expect(table.session(session.cookie, of: nil, now: now) != nil, "\(now)")
        }
        #expect(table.session(session.cookie, of: nil, now: SessionTable.mostSeconds) == nil)

        let other = try self.session(in: &table, now: now)
        #expect(table.session(other.cookie, of: nil, now: now + SessionTable.idleSeconds) == nil)
    }

    @Test func `if a user exceeds the limit of tokens or sessions, the oldest token or session becomes invalid`() throws
    {
        var table = SessionTable()
        let first = table.makeToken(for: user, now: 0)
        for now in 1...SessionTable.mostTokensPerUser { _ = table.makeToken(for: user, now: Double(now)) }
        #expect(table.redeem(first, by: nil, now: 10) == nil)
        let oldest = try session(in: &table, now: 10)
        for now in 1...SessionTable.mostSessionsPerUser {
            _ = table.redeem(table.makeToken(for: user, now: 10 + Double(now)), by: nil, now: 10 + Double(now))
        }
        #expect(table.sessions.count == SessionTable.mostSessionsPerUser)
        #expect(table.session(oldest.cookie, of: nil, now: 50) == nil)
    }

    @Test func `one-time tokens and session secrets have 256 random bits`() {
        let secrets = Set((0..<1000).map { _ in Secret().text })
        #expect(secrets.count == 1000 && secrets.allSatisfy { $0.utf8.count == 43 })
    }

    @Test func `a second request with a one-time token is refused with advice to run 'printq center'`() async throws {
        let bench = try await CenterBench()
        let (token, _) = bench.sessions.makeToken(for: SessionUser(uid: CenterBench.ann, gid: 1, name: "ann"))
        _ = try await Browser(bench, token: token, uid: CenterBench.ann)
        let again = await bench.center.answer(
            to: WebRequest(
                .get, "/open", query: "token=\(token)", host: Browser.host,
                peer: .tcp(address: "127.0.0.1", port: 1, uid: CenterBench.ann)))
        #expect(again.status == .forbidden && again.headers[.setCookie] == nil)
        #expect(again.text.contains("printq center"), "\(again.text)")
    }

    @Test func `a second one-time token extends the session that the browser has, so that old pages stay valid`()
        async throws
    {
        let bench = try await CenterBench()
        let browser = try await bench.signIn()
        let start = bench.now.withLock { $0 }
        while bench.now.withLock({ $0 }) < start + SessionTable.mostSeconds + 86400 {
            let user = SessionUser(uid: CenterBench.ann, gid: CenterBench.ann, name: "ann")
            let (token, _) = bench.sessions.makeToken(for: user)
            let again = await bench.center.answer(
                to: WebRequest(
                    .get, "/open", query: "token=\(token)", headers: [.cookie: browser.cookie], host: Browser.host,
                    peer: browser.peer))
            #expect(again.status == .seeOther && again.headers[.setCookie]?.hasPrefix(browser.cookie) == true)
            // The page that was open before has the old token.
            #expect(await browser.send(.post, "/api/v1/jobs/9/cancel").status == .notFound)
            bench.now.withLock { $0 += 11 * 3600 }
        }
    }

    @Test func `a one-time token does not extend the session of another user`() throws {
        var table = SessionTable()
        let own = try session(in: &table, now: 0)
        let other = SessionUser(uid: 1001, gid: 1000, name: "bob")
        let session = table.redeem(table.makeToken(for: other, now: 1), by: nil, extending: own.id, now: 1)
        #expect(session?.id != own.id && session?.owner == .local(other))
        #expect(table.session(own.cookie, of: nil, now: 2)?.owner == .local(user))
        let unknown = table.redeem(table.makeToken(for: user, now: 2), by: nil, extending: "unknown", now: 2)
        #expect(unknown?.owner == .local(user))
    }

    @Test func `a port is required until the last token has expired and the last session has ended`() throws {
        var table = SessionTable()
        #expect(table.lastEnd(now: 0) == nil)
        let token = table.makeToken(for: user, now: 0)
        #expect(table.lastEnd(now: 1) == SessionTable.tokenSeconds)
        #expect(table.lastEnd(now: 60) == nil)
        #expect(table.redeem(token, by: nil, now: 60) == nil)
        let session = try session(in: &table, now: 100)
        #expect(table.lastEnd(now: 101) == 100 + SessionTable.idleSeconds)
        _ = table.session(session.cookie, of: nil, now: 1000)
        #expect(table.lastEnd(now: 1001) == 1000 + SessionTable.idleSeconds)
        table.end(session.id)
        #expect(table.lastEnd(now: 1002) == nil)
    }

    @Test func `a stored session requires a port only after its first request`() throws {
        var earlier = SessionTable()
        let session = try session(in: &earlier, now: 0)
        var table = SessionTable(sessions: Array(earlier.sessions.values))
        #expect(table.lastEnd(now: 1) == nil)
        #expect(table.session(session.cookie, of: nil, now: 2) != nil)
        #expect(table.lastEnd(now: 3) == 2 + SessionTable.idleSeconds)
    }

    @Test func `a session ends when the user signs out`() async throws {
        let bench = try await CenterBench()
        let browser = try await bench.signIn()
        #expect(await browser.send(.get, "/api/v1/session").status == .ok)
        let end = await browser.send(.delete, "/api/v1/session")
        #expect(end.status == .noContent && end.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(await browser.send(.get, "/api/v1/session").status == .unauthorized)
    }

    @Test func `a session ends if the user's account is deleted or the user ID is assigned to another account`()
        async throws
    {
        let bench = try await CenterBench()
        for name in [nil, "eve"] {
            bench.names.withLock { $0[CenterBench.ann] = "ann" }
            let browser = try await bench.signIn()
            bench.names.withLock { $0[CenterBench.ann] = name }
            #expect(await browser.send(.get, "/api/v1/session").status == .unauthorized)
            bench.names.withLock { $0[CenterBench.ann] = "ann" }
            #expect(await browser.send(.get, "/api/v1/session").status == .unauthorized)
        }
    }

    @Test func `a session remains valid if the name service fails, and requests are refused as temporary`() async throws
    {
        let bench = try await CenterBench()
        let browser = try await bench.signIn()
        bench.isNameServiceDown.withLock { $0 = true }
        #expect(await browser.send(.get, "/api/v1/session").status == .serviceUnavailable)
        bench.isNameServiceDown.withLock { $0 = false }
        #expect(await browser.send(.get, "/api/v1/session").status == .ok)
    }

    @Test func `stored sessions remain valid after a restart`() throws {
        final class Store: SessionStore {
            let data = Mutex<[UInt8]>([])
            func load() -> Data? { data.withLock { $0.isEmpty ? nil : Data($0) } }
            func save(_ sessions: Data) { data.withLock { $0 = Array(sessions) } }
        }
        let store = Store()
        let before = Sessions(clock: { 100 }, store: store)
        let session = try #require(before.redeem(before.makeToken(for: user).token, by: nil))
        let after = Sessions(clock: { 200 }, store: store)
        #expect(after.session(session.cookie, of: 1000)?.owner == .local(user))
        after.end(session.id)
        #expect(Sessions(clock: { 300 }, store: store).session(session.cookie, of: 1000) == nil)
    }

    @Test func `the session cookie is hidden from scripts, and its name contains the port`() async throws {
        let bench = try await CenterBench()
        let (token, _) = bench.sessions.makeToken(for: SessionUser(uid: CenterBench.ann, gid: 1, name: "ann"))
        let answer = await bench.center.answer(
            to: WebRequest(
                .get, "/open", query: "token=\(token)", host: "[::1]:8631",
                peer: .tcp(address: "::1", port: 1, uid: CenterBench.ann), isEncrypted: true))
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.hasPrefix("printq-session-8631="))
        for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Secure"] { #expect(cookie.contains(part)) }
        #expect(answer.headers[.location] == "/jobs")
    }
}
