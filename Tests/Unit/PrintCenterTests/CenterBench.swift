// A Print Center over a real spool whose only printer never prints.

import AsyncPrimitives
import Foundation
import HTTPTypes
import IPPServer
import Logging
import PrintIPP
import PrintModel
import PrintScheduler
import PrintServer
import PrintSpool
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintCenter

/// A Print Center over a spool with one printer, and the clients of two ordinary users.
///
/// The scheduler does not run, so that jobs keep their states.
final class CenterBench: Sendable {
    static let (ann, bob, administrator): (UInt32, UInt32, UInt32) = (2001, 2002, 2003)

    private let folder: TemporaryFolder
    let spool: Spool
    let sessions: Sessions
    let center: PrintCenter
    /// The names of the accounts, by user ID.
    let names = SharedValue<[UInt32: String]>([ann: "ann", bob: "bob", administrator: "adm"])
    /// Whether lookups of accounts fail.
    let isNameServiceDown = SharedValue(false)
    /// The time that sessions see, in seconds since 1970.
    let now = SharedValue<UnixTime>(1_800_000_000)

    init(status: PrinterStatus = PrinterStatus(state: .idle), ports: Ports = Ports()) async throws {
        folder = try TemporaryFolder()
        spool = try Spool(folder: folder.path)
        try await spool.addPrinter(ConfiguredPrinter(name: "quiet", deviceURI: "test:quiet", isDefault: true))
        let directory = PrinterDirectory(clock: Spool.systemTime) { _ in QuietPrinter(reported: status) }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: RefusingWorker(), logger: Logger(label: "test"))
        let service = SpoolService(
            RecentEvents(spool: spool, after: 0), scheduler: scheduler, directory: directory,
            output: { _, _ in nil }, checkUp: { [] })
        let accounts = UserAccounts(
            lifetime: .zero,
            lookUp: .init(
                name: { [names, isNameServiceDown] (uid) throws(NameServiceError) in
                    if isNameServiceDown.withLock({ $0 }) { throw NameServiceError(number: ECONNREFUSED) }
                    return names.withLock { $0[uid] }
                },
                isMember: { user, group in user == "adm" && group == "lpadmin" }))
        let operations = PrinterOperations(
            service, events: service, numbersJobsGlobally: true, isOpen: false, accounts: accounts,
            clock: Spool.systemTime)
        sessions = Sessions(clock: { [now] in now.withLock { $0 } })
        let configuration = PrintCenter.Configuration(
            service: "printd", address: { () async throws(AddressError) in "http://127.0.0.1:8631" })
        center = PrintCenter(
            configuration, responder: CenterSignIn(operations, sessions: sessions, configuration: configuration),
            sessions: sessions, ports: ports, accounts: accounts, clock: Spool.systemTime)
    }

    /// Adds a waiting job.
    @discardableResult
    func addJob(
        _ name: String = "letter", owner: String = "ann", ticket: JobTicket = JobTicket(), pin: String? = nil
    ) async throws -> Int {
        let incoming = spool.makeIncoming()
        try await DocumentStream(bytes: Array("%PDF-1.4".utf8)).write(to: incoming)
        var submission = Submission(printer: "quiet", owner: owner, name: name, ticket: ticket)
        if let password = pin.flatMap(JobPassword.init(pin:)) {
            submission.releasePassword = try await PasswordHash(password)
        }
        return try await spool.submit(submission, documents: [(incoming, name: "\(name).pdf", format: .pdf)]).id
    }

    /// Signs a user in, and returns a client with the session.
    func signIn(_ uid: UInt32 = CenterBench.ann) async throws -> Browser {
        let answer = await center.answer(
            to: WebRequest(.post, "/api/v1/sessions", peer: .unix(uid: uid, gid: uid, pid: 1)))
        let url = try #require(try answer.member("url"))
        let token = try #require(url.split(separator: "=").last.map(String.init))
        return try await Browser(self, token: token, uid: uid)
    }

    /// Sends a request over the Unix socket.
    func socket(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", json: String? = nil,
        uid: UInt32 = CenterBench.ann
    ) async -> WebAnswer {
        await center.answer(
            to: WebRequest(
                method, path, query: query, headers: json == nil ? [:] : [.contentType: "application/json"],
                body: json.map { WebBody(Array($0.utf8)) } ?? .empty, peer: .unix(uid: uid, gid: uid, pid: 1)))
    }
}

/// A browser with a session.
struct Browser: Sendable {
    static let host = "127.0.0.1:8631"

    let center: PrintCenter
    let peer: Peer
    let host: String
    let cookie: String
    let token: String

    init(_ bench: CenterBench, token: String, uid: UInt32) async throws {
        let peer = Peer.tcp(address: "127.0.0.1", port: 50_000, uid: uid)
        let opened = await bench.center.answer(
            to: WebRequest(.get, "/open", query: "token=\(token)", host: Self.host, peer: peer))
        try #require(opened.status == .seeOther)
        let set = try #require(opened.headers[.setCookie])
        try await self.init(bench.center, cookie: String(set.prefix { $0 != ";" }), peer: peer)
    }

    /// Creates a browser that has the cookie of a session.
    init(_ center: PrintCenter, cookie: String, peer: Peer, host: String = Browser.host) async throws {
        (self.center, self.peer, self.host, self.cookie) = (center, peer, host, cookie)
        let session = await center.answer(
            to: WebRequest(
                .get, "/api/v1/session", headers: [.cookie: cookie], host: host, peer: peer,
                isEncrypted: host != Self.host))
        token = try #require(try session.member("token"), "\(session.text)")
    }

    /// Returns a request of the page's own scripts.
    func request(_ method: HTTPRequest.Method, _ path: String, query: String = "", json: String? = nil) -> WebRequest {
        var headers: HTTPFields = [
            .cookie: cookie, .origin: "\(isEncrypted ? "https" : "http")://\(host)", .fetchSite: "same-origin",
            .printqToken: token,
        ]
        if json != nil { headers[.contentType] = "application/json" }
        return WebRequest(
            method, path, query: query, headers: headers, host: host,
            body: json.map { WebBody(Array($0.utf8)) } ?? .empty, peer: peer, isEncrypted: isEncrypted)
    }

    private var isEncrypted: Bool { host != Self.host }

    /// Sends a request of the page's own scripts.
    func send(_ method: HTTPRequest.Method, _ path: String, query: String = "", json: String? = nil) async -> WebAnswer
    {
        await center.answer(to: request(method, path, query: query, json: json))
    }
}

extension DocumentStream {
    fileprivate func write(to incoming: IncomingDocument) async throws {
        for try await piece in self { try incoming.write(piece) }
    }
}

extension WebAnswer {
    /// The body as text.
    var text: String { if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" } }

    /// The body as JSON.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// Returns a text member of the body.
    func member(_ name: String) throws -> String? { try json()[name] as? String }

    /// Returns the jobs of a list.
    func jobs() throws -> [[String: Any]] { try #require(try json()["jobs"] as? [[String: Any]]) }
}

/// A value that a test changes while the server reads it.
final class SharedValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { value.withLock { body(&$0) } }
}
