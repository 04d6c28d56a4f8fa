// Attacks printd as a user of the machine who owns none of the jobs.

import Foundation
import Glibc
import IPP
import IPPTestSupport
import PrintCenter
import PrintIPP
import PrintTestSupport

/// The printd that a stranger attacks, and the facts that the stranger knows about an owner of jobs.
struct StrangerTarget: Codable {
    /// The path of the Unix socket, and the port on 127.0.0.1.
    var socket: String
    var port: Int
    /// The jobs and the subscription of the owner.
    var targets: AccessTargets
    /// A text that is part of all private values of the jobs, and of no request.
    var secret: String
    /// The cookie and the token of the owner's session in the Print Center.
    var cookie, token: String
    /// Whether each operation is combined with each trick (`TestRun.pairs`).
    var isLong: Bool
    var seed: Int
}

/// A trial that sends each operation and each route of the access tables to the objects of an owner, with tricks that
/// claim the identity of the owner.
///
/// The trial must run as a user who is neither the owner nor an administrator.
struct StrangerTrial {
    private let target: StrangerTarget
    private var report = StrangerReport()
    /// The cookie and the token of the stranger's own session.
    private var own = (cookie: "", token: "")

    static func run(_ options: TrialOptions) throws -> StrangerReport {
        let data = try Data(contentsOf: URL(fileURLWithPath: options.target ?? "/dev/stdin"))
        var trial = StrangerTrial(target: try JSONDecoder().decode(StrangerTarget.self, from: data))
        try trial.signIn()
        trial.attackOperations()
        trial.attackRoutes()
        return trial.report
    }

    private init(target: StrangerTarget) { self.target = target }

    private var owner: String { target.targets.owner }

    // MARK: - IPP

    /// An identity that an IPP request claims.
    private struct Claim {
        var name: String?
        var headers: [String]
        var isOnSocket: Bool
    }

    private var claims: [Claim] {
        let names = [nil, owner, "root", "anonymous", "", "uid-0", "lp"]
        let login = Data("\(owner):".utf8).base64EncodedString()
        let headers = [
            [], ["Authorization: Basic \(login)"], ["Authorization: PeerCred \(owner)"], ["Cookie: \(target.cookie)"],
            ["X-Remote-User: \(owner)", "Remote-User: root", "X-Forwarded-For: 127.0.0.1"],
            [
                "Origin: http://localhost:\(target.port)", "Sec-Fetch-Site: same-origin",
                "Printq-Token: \(target.token)",
            ],
        ]
        return names.flatMap { name in
            headers.flatMap { header in
                [true, false].map { Claim(name: name, headers: header, isOnSocket: $0) }
            }
        }
    }

    private mutating func attackOperations() {
        let requests = IPP.Operation.accessRules.flatMap { row in Ownership.allCases.map { (row.operation, $0) } }
        for ((operation, ownership), claim) in TestRun.pairs(requests, claims, isLong: target.isLong, seed: target.seed)
        {
            let (message, document) = target.targets.request(operation, ownership, as: claim.name)
            guard let bytes = try? message.encoded() else { continue }
            let answer = send(
                "POST / HTTP/1.1", claim.headers + ["Content-Type: application/ipp"], bytes + Array(document.utf8),
                onSocket: claim.isOnSocket)
            guard answer.status == 200, let reply = try? Message.decode(answer.body).message,
                reply.status.rawValue < 0x0100
            else { continue }
            report.accepted += 1
            // With my-jobs, these operations concern the stranger's own jobs. Get-Subscriptions returns an empty list.
            let isAboutOwn =
                [.cancelJobs, .purgeJobs, .printqGetAccounting, .printqGetQuotas].contains(operation)
                && ownership == .own
            let permission = operation.access.permission(of: .user, isAboutOwn ? .own : .others)
            if permission == .refused, operation != .getSubscriptions {
                report.problems.append("accepted: \(operation) as \(claim.name ?? "nobody") \(claim.headers)")
            }
        }
    }

    // MARK: - The Print Center

    /// An identity that a request to the Print Center claims, and an unusual form of the request.
    private struct WebTrick {
        var headers: [String]
        var isOnSocket: Bool
        var job: Int
        var path: @Sendable (String) -> String
    }

    private var webTricks: [WebTrick] {
        let (theirs, mine) = ((target.cookie, target.token), own)
        // The cookies and the token of a request, and whether it uses the Unix socket.
        let identities: [(cookies: [String], token: String?, isOnSocket: Bool)] = [
            ([], nil, true), ([theirs.0], theirs.1, true), ([], nil, false), ([theirs.0], theirs.1, false),
            ([mine.cookie], mine.token, false), ([mine.cookie], theirs.1, false),
            ([mine.cookie, theirs.0], theirs.1, false), ([theirs.0, mine.cookie], mine.token, false),
        ]
        let headers = [
            [], ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"],
            ["Origin: http://localhost:\(target.port)", "Sec-Fetch-Site: same-origin"],
            ["Authorization: Basic \(Data("\(owner):".utf8).base64EncodedString())", "X-Remote-User: \(owner)"],
        ]
        let paths: [@Sendable (String) -> String] = [
            { $0 }, { $0 + "/" }, { "/" + $0 }, { $0.replacingOccurrences(of: "/api/", with: "/%61pi/") },
        ]
        let jobs = [target.targets.waiting, target.targets.ended, target.targets.incoming]
        return identities.flatMap { identity in
            headers.flatMap { header in
                paths.flatMap { path in
                    jobs.map { job in
                        let cookie =
                            identity.cookies.isEmpty ? [] : ["Cookie: \(identity.cookies.joined(separator: "; "))"]
                        return WebTrick(
                            headers: header + cookie + (identity.token.map { ["Printq-Token: \($0)"] } ?? []),
                            isOnSocket: identity.isOnSocket, job: job, path: path)
                    }
                }
            }
        }
    }

    private mutating func attackRoutes() {
        // The session of the stranger must not end before the last request.
        let routes = Route.all.filter { !($0.path == "/api/v1/session" && $0.method.rawValue == "DELETE") }
        for (route, trick) in TestRun.pairs(routes, webTricks, isLong: target.isLong, seed: target.seed) {
            let segments = route.path.split(separator: "/").map { segment in
                switch segment {
                case ":id": "\(trick.job)"
                case ":number": "1"
                case ":name": target.targets.printer
                default: String(segment)
                }
            }
            let path = trick.path("/" + segments.joined(separator: "/"))
            let isChange = route.method.rawValue != "GET"
            let answer = send(
                "\(route.method.rawValue) \(path) HTTP/1.1",
                trick.headers + (isChange ? ["Content-Type: application/json"] : []),
                isChange ? Array(body(job: trick.job).utf8) : [], onSocket: trick.isOnSocket,
                milliseconds: route.path == "/api/v1/events" ? 200 : Self.timeout)
            guard (200..<300).contains(answer.status) else { continue }
            report.accepted += 1
            let isDone = !String(decoding: answer.body, as: UTF8.self).contains(#""done":false"#)
            if route.permission(of: .user, .others) == .refused, isDone {
                report.problems.append("accepted: \(route.method) \(path) \(trick.headers)")
            }
        }
    }

    /// Returns a body with the members of all routes; a route ignores the members of other routes.
    private func body(job: Int) -> String {
        """
        {"action": "cancel", "jobs": [\(job)], "job": \(job), "printer": "\(target.targets.otherPrinter)", "name": "new",
        "options": {"copies": "9"}, "info": "new", "device-uri": "folder:/tmp/new", "check": false, "fault": "media-jam",
        "tray": "tray-1", "sheets": 0, "level": 0, "on": false}
        """
    }

    private mutating func signIn() throws {
        func failure() -> TrialOptions.Wrong { TrialOptions.Wrong(description: "the stranger cannot sign in") }
        let created = send("POST /api/v1/sessions HTTP/1.1", [], [], onSocket: true)
        guard let address = Self.member("url", of: created.body),
            let path = address.range(of: "/open").map({ address[$0.lowerBound...] })
        else { throw failure() }
        let opened = send("GET \(path) HTTP/1.1", [], [], onSocket: false)
        guard let line = opened.head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("set-cookie:") })
        else { throw failure() }
        own.cookie = line.dropFirst("set-cookie:".count).prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        let session = send("GET /api/v1/session HTTP/1.1", ["Cookie: \(own.cookie)"], [], onSocket: false)
        guard let token = Self.member("token", of: session.body) else { throw failure() }
        own.token = token
    }

    private static func member(_ name: String, of body: [UInt8]) -> String? {
        (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?[name] as? String
    }

    // MARK: - HTTP

    /// The time to wait for a response that ends, in milliseconds.
    private static let timeout = 30_000

    private struct Answer {
        var status = 0
        var head = ""
        var body: [UInt8] = []
    }

    /// Sends a request on a new connection, and checks that the response contains no private value.
    private mutating func send(
        _ line: String, _ headers: [String], _ body: [UInt8], onSocket: Bool, milliseconds: Int = timeout
    ) -> Answer {
        report.requests += 1
        let head =
            [line, "Host: localhost:\(target.port)", "Connection: close", "Content-Length: \(body.count)"] + headers
        let request = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        guard let connection = onSocket ? Self.connect(path: target.socket) : LoopbackPort.connect(to: target.port)
        else {
            report.problems.append("cannot connect: \(line)")
            return Answer()
        }
        defer { close(connection) }
        var wait = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        _ = Glibc.send(connection, request, request.count, Int32(MSG_NOSIGNAL))
        var received: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = recv(connection, &piece, piece.count, 0), count > 0 { received += piece[..<count] }
        if received.isEmpty, milliseconds == Self.timeout { report.problems.append("no response: \(line)") }
        if Self.contains(received, target.secret) { report.problems.append("shown: \(line) \(headers)") }
        if !Self.contains(request, owner), Self.contains(received, owner) {
            report.problems.append("owner shown: \(line) \(headers)")
        }
        let end = received.firstRange(of: Array("\r\n\r\n".utf8)) ?? received.endIndex..<received.endIndex
        let answered = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        let status = answered.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, head: answered, body: Array(received[end.upperBound...]))
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.firstRange(of: Array(text.utf8)) != nil
    }

    private static func connect(path: String) -> Int32? {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if !isConnected { close(connection) }
        return isConnected ? connection : nil
    }
}

/// The results of an attack.
struct StrangerReport: TrialReport {
    /// The number of requests, and of requests that printd accepted.
    var requests = 0
    var accepted = 0
    var problems: [String] = []

    var text: String { "\(requests) requests, \(accepted) accepted, \(problems.count) problems" }
}
