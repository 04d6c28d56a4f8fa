// Sends each attack to each route.

import HTTPTypes
import IPPServer
import PrintModel
import Testing

@testable import PrintCenter

/// A request that a browser or another user must not be able to send.
enum Attack: String, CaseIterable, Sendable {
    case foreignOrigin, nullOrigin, foreignHost, missingHost, crossSite, sameSite, encodedPath, noSession,
        expiredSession
    case otherPort, stolenCookie, withoutToken, getForAChange, foreignLink

    /// Changes a valid request of a browser; nil if the attack does not apply to the route.
    func request(from browser: Browser, route: Route, path: String) -> WebRequest? {
        var request = browser.request(route.method, path, json: route.method == .get ? nil : "{}")
        switch self {
        case .foreignOrigin: request.headers[.origin] = "http://evil.example"
        case .nullOrigin: request.headers[.origin] = "null"
        case .foreignHost: request.host = "evil.example:8631"
        case .missingHost: request.host = nil
        case .crossSite: request.headers[.fetchSite] = "cross-site"
        case .sameSite: request.headers[.fetchSite] = "same-site"
        case .foreignLink: request.followedLink(of: "cross-site")
        case .encodedPath:
            request.path = path.replacing("/\(route.segments[0])", with: "/%\(Self.hex(route))", maxReplacements: 1)
        case .noSession: request.headers[.cookie] = nil
        case .expiredSession: break
        case .otherPort: request.host = "\(browser.host.prefix { $0 != ":" }):9999"
        case .stolenCookie: request.peer = .tcp(address: "127.0.0.1", port: 50_001, uid: CenterBench.bob)
        case .withoutToken:
            guard route.method != .get else { return nil }
            request.headers[.printqToken] = nil
        case .getForAChange:
            guard route.method != .get else { return nil }
            request.method = .get
        }
        return request
    }

    /// Returns the first segment with its first letter in percent-encoding.
    private static func hex(_ route: Route) -> String {
        let segment = route.segments[0]
        guard let first = segment.utf8.first else { return "2f" }
        return String(first, radix: 16) + segment.dropFirst()
    }

    /// The statuses of a refusal.
    func refusals(of route: Route) -> Set<Int> {
        switch self {
        case .encodedPath: [404]
        case .noSession, .expiredSession, .stolenCookie: [401, 403]
        // The page that the address names exists for GET, or it does not.
        case .getForAChange: [404, 405]
        default: [401, 403]
        }
    }
}

extension WebRequest {
    /// Adds the headers that a browser sends after a click on a link of another site.
    fileprivate mutating func followedLink(of site: String) {
        headers[.fetchSite] = site
        headers[.fetchMode] = "navigate"
        headers[.fetchDestination] = "document"
    }
}

struct RequestCheckTests {
    /// The routes for users.
    ///
    /// Routes for everyone have no session.
    private static let routes = Route.all.filter { $0.access == .session }

    private static func path(_ route: Route, job: Int) -> String {
        "/" + route.segments.map { $0.hasPrefix(":") ? "\(job)" : $0 }.joined(separator: "/")
    }

    @Test(arguments: Attack.allCases, [false, true])
    func `each route refuses forged requests and changes no job`(attack: Attack, isOnNetwork: Bool) async throws {
        // The kernel does not report the users of other machines.
        guard !isOnNetwork || attack != .stolenCookie else { return }
        let network = try await NetworkBench(ports: .withSimulatedJobs)
        let bench = network.bench
        let job = try await bench.addJob()
        let before = try await bench.spool.job(job)
        let browser = isOnNetwork ? try await network.signIn("ann") : try await bench.signIn()
        if attack == .expiredSession { bench.now.withLock { $0 += SessionTable.idleSeconds } }
        for route in Self.routes {
            let path = Self.path(route, job: job)
            guard let request = attack.request(from: browser, route: route, path: path) else { continue }
            // A change and a read can share an address.
            if attack == .getForAChange, Self.routes.contains(where: { $0.method == .get && $0.path == route.path }) {
                continue
            }
            let answer = await browser.center.answer(to: request)
            #expect(
                attack.refusals(of: route).contains(answer.status.code),
                "\(attack) \(route.method) \(route.path): \(answer.status) \(answer.text)")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        }
        #expect(try await bench.spool.job(job) == before)
    }

    @Test func `each public route refuses requests with a foreign host or origin`() async throws {
        let bench = try await CenterBench()
        for route in Route.all where route.access == .public {
            for (name, value) in [(HTTPField.Name.origin, "http://evil.example"), (.fetchSite, "cross-site")] {
                let request = WebRequest(
                    .get, route.path, headers: [name: value], host: Browser.host,
                    peer: .tcp(address: "127.0.0.1", port: 1, uid: 5))
                #expect(await bench.center.answer(to: request).status == .forbidden, "\(route.path) \(name)")
            }
            let request = WebRequest(
                .get, route.path, host: "evil.example", peer: .tcp(address: "127.0.0.1", port: 1, uid: 5))
            #expect(await bench.center.answer(to: request).status == .forbidden, "\(route.path)")
        }
    }

    @Test(arguments: ["cross-site", "same-site"])
    func `after a link of another site, each page has a link to itself and shows nothing else`(site: String)
        async throws
    {
        let bench = try await CenterBench()
        try await bench.addJob("salaries")
        let browser = try await bench.signIn()
        for route in Route.all where route.isPage {
            let path = Self.path(route, job: 1)
            var request = browser.request(.get, path, query: "show=all&q=\"<b>")
            request.headers[.origin] = nil
            request.followedLink(of: site)
            let answer = await bench.center.answer(to: request)
            #expect(answer.status == .forbidden && answer.headers[.contentType] == "text/html; charset=utf-8")
            let link = #"href="\#(path)?show=all&amp;q=&quot;&lt;b&gt;">Open the Print Center</a>"#
            #expect(answer.text.contains(link), "\(answer.text)")
            #expect(!answer.text.contains("<script") && !answer.text.contains("salaries"))
            #expect(answer.headers[.contentSecurityPolicy] == WebAnswer.contentSecurityPolicy)
            request.headers[.acceptLanguage] = "fr, ja-JP;q=0.9, en;q=0.8"
            #expect(await bench.center.answer(to: request).text.contains(">プリントセンターを開く</a>"))
            // A frame of another site shows no page, and another host name is refused as before.
            request.headers[.fetchDestination] = "iframe"
            #expect(await bench.center.answer(to: request).headers[.contentType] == "application/problem+json")
            request.headers[.fetchDestination] = "document"
            request.host = "evil.example"
            #expect(await bench.center.answer(to: request).headers[.contentType] == "application/problem+json")
        }
    }

    @Test func `a link of another site can neither sign in nor read files and metrics`() async throws {
        let bench = try await CenterBench()
        for route in Route.all where route.access == .public && !route.isPage {
            var request = WebRequest(
                route.method, route.path, host: Browser.host,
                peer: .tcp(address: "127.0.0.1", port: 1, uid: CenterBench.ann))
            if route.path == "/open" {
                let user = SessionUser(uid: CenterBench.ann, gid: CenterBench.ann, name: "ann")
                request.query = "token=\(bench.sessions.makeToken(for: user).token)"
            }
            request.followedLink(of: "cross-site")
            let answer = await bench.center.answer(to: request)
            #expect(answer.status == .forbidden && answer.headers[.contentType] == "application/problem+json")
            #expect(answer.headers[.setCookie] == nil)
        }
    }
}
