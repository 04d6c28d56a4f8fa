import Foundation
import HTTPTypes
import IPP
import IPPServer
import OpenMetrics
import PrintIPP
import PrintModel
import Synchronization
import Testing

@testable import PrintCenter

/// Tests of the routes of printers over a real spool whose printer never prints.
struct PrinterRouteTests {
    private func printer(
        _ bench: CenterBench, _ path: String = "/api/v1/printers/quiet"
    ) async throws -> [String: Any] {
        try await bench.socket(.get, path).json()
    }

    private func properties(_ bench: CenterBench, _ schema: String, part: Int? = nil) async throws -> Set<String> {
        let document = try await bench.socket(.get, "/api/v1/openapi.json").json()
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        let object = try #require(schemas[schema])
        let parts = object["allOf"] as? [[String: Any]]
        let chosen = try part.map { try #require(parts?[$0]) } ?? object
        return Set(try #require(chosen["properties"] as? [String: Any]).keys)
    }

    @Test func `the JSON of a printer has exactly the members of the schemas Printer and PrinterDetail`() async throws {
        let bench = try await CenterBench(
            status: PrinterStatus(state: .stopped, reasons: ["media-jam-error"], message: "Paper jam; clear it"))
        try await bench.addJob()
        let list = try await printer(bench, "/api/v1/printers")
        let listed = try #require((list["printers"] as? [[String: Any]])?.first)
        let members = try await properties(bench, "Printer")
        #expect(Set(listed.keys) == members)
        #expect(listed["phase"] as? String == "attention")
        #expect((listed["cause"] as? [String: Any])?["code"] as? String == "media-jam")
        #expect(list["event"] is Int)
        let detail = try await printer(bench)
        #expect(Set(detail.keys) == members.union(try await properties(bench, "PrinterDetail", part: 1)))
        #expect((detail["jobs"] as? [Any])?.count == 1)
        let options = try await printer(bench, "/api/v1/printers/quiet/options")
        let option = try #require((options["options"] as? [[String: Any]])?.first)
        #expect(Set(option.keys) == (try await properties(bench, "PrinterOption")))
    }

    @Test func `an administrator on the machine of the server shares a printer and ends the sharing`() async throws {
        let network = try await NetworkBench()
        let (bench, path) = (network.bench, "/api/v1/printers/quiet")
        func change(_ sharing: String) async -> WebAnswer {
            await bench.socket(.patch, path, json: #"{"sharing": \#(sharing)}"#, uid: CenterBench.administrator)
        }
        #expect(await change(#"{"shared": true, "name": "Hall", "anonymous": true}"#).status == .ok)
        let shared = try #require(try await bench.spool.printer(named: "quiet"))
        #expect(shared.isShared && shared.serviceName == "Hall" && shared.admitsAnonymous)
        let sharing = try #require(try await printer(bench)["sharing"] as? [String: Any])
        #expect(sharing["shared"] as? Bool == true && sharing["name"] as? String == "Hall")
        #expect(await change("{}").status == .unprocessableContent)

        let remote = try await network.signIn("adm")
        let refused = await remote.send(.patch, path, json: #"{"sharing": {"shared": false}}"#)
        #expect(refused.status == .forbidden, "\(refused.text)")
        #expect(await !remote.send(.get, path).text.contains(#""share""#))
        #expect(try await bench.spool.printer(named: "quiet") == shared)
        #expect(await change(#"{"shared": false}"#).status == .ok)
        let closed = try #require(try await bench.spool.printer(named: "quiet"))
        #expect(!closed.isShared && !closed.admitsAnonymous)
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/pause", "{}"), (.post, "/resume", "{}"), (.post, "/default", "{}"),
        (.post, "/accept", "{}"), (.post, "/reject", "{}"), (.patch, "", #"{"info": "x"}"#), (.delete, "", "{}"),
    ])
    func `administrators can change a printer, and ordinary users are refused`(
        method: HTTPRequest.Method, action: String, json: String
    ) async throws {
        let bench = try await CenterBench()
        let before = try await bench.spool.printers()
        let refused = await bench.socket(method, "/api/v1/printers/quiet\(action)", json: json)
        #expect(refused.status == .forbidden, "\(refused.text)")
        #expect(try await bench.spool.printers() == before)
        let done = await bench.socket(
            method, "/api/v1/printers/quiet\(action)", json: json, uid: CenterBench.administrator)
        #expect([200, 204].contains(done.status.code), "\(done.text)")
    }

    @Test func `the allowed commands of a printer depend on the user and on the printer's state`() async throws {
        let bench = try await CenterBench()
        let ann = await bench.socket(.get, "/api/v1/printers/quiet")
        #expect(try ann.json()["commands"] as? [String] == ["test-page", "identify"])
        _ = await bench.socket(.post, "/api/v1/printers/quiet/pause", uid: CenterBench.administrator)
        let administrator = await bench.socket(.get, "/api/v1/printers/quiet", uid: CenterBench.administrator)
        let commands = try #require(try administrator.json()["commands"] as? [String])
        #expect(commands.contains("resume") && !commands.contains("pause") && !commands.contains("control"))
        #expect(!commands.contains("default"), "the printer is the default printer")
    }

    @Test func `a release station releases the jobs of all users with the PIN, and tells only their number`()
        async throws
    {
        let bench = try await CenterBench()
        for owner in ["ann", "bob", "bob"] { _ = try await bench.addJob("salaries", owner: owner, pin: "4815") }
        let other = try await bench.addJob("salaries", owner: "bob", pin: "162342")
        func release(_ json: String) async -> WebAnswer {
            await bench.socket(.post, "/api/v1/printers/quiet/release", json: json)
        }
        for json in ["{}", #"{"pin": ""}"#, #"{"pin": "12"}"#, #"{"pin": "123456789"}"#, #"{"pin": "x234"}"#] {
            #expect(await release(json).status == .unprocessableContent, "\(json)")
        }
        let released = await release(#"{"pin": "4815"}"#)
        #expect(released.status == .ok && released.text == "{\"released\":3}\n", "\(released.text)")
        let waiting = try #require(
            try await bench.socket(.get, "/api/v1/jobs/\(other)").json()["cause"] as? [String: Any])
        #expect(waiting["code"] as? String == "password-wait")
        for _ in 1...3 {
            let wrong = try await release(#"{"pin": "4815"}"#).json()
            #expect(wrong["code"] as? String == "client-error-not-authorized", "\(wrong)")
        }
        let blocked = try await release(#"{"pin": "162342"}"#).json()
        #expect(blocked["code"] as? String == "client-error-not-possible", "\(blocked)")
        let states = try await bench.spool.jobs(JobFilter(.all)).map(\.state)
        #expect(states == [.pending, .pending, .pending, .pendingHeld])
    }

    @Test func `a printer has no simulator route and no log if the printer is not simulated`() async throws {
        let bench = try await CenterBench()
        for path in ["simulator", "log"] {
            let answer = await bench.socket(.get, "/api/v1/printers/quiet/\(path)", uid: CenterBench.administrator)
            #expect(answer.status == .notFound && answer.text.contains("is not a simulated printer"), "\(answer.text)")
        }
    }

    @Test func `the routes /health and /metrics require a session only for clients on other machines`()
        async throws
    {
        let bench = try await CenterBench()
        func status(_ path: String, from address: String) async -> Int {
            await bench.center.answer(
                to: WebRequest(.get, path, host: Browser.host, peer: .tcp(address: address, port: 1))
            ).status.code
        }
        #expect(await status("/health", from: "127.0.0.1") == 200)
        #expect(await status("/health", from: "192.0.2.7") == 401)
        #expect(await status("/metrics", from: "192.0.2.7") == 401)
        // This bench has no metrics.
        #expect(await status("/metrics", from: "::1") == 404)
    }

    @Test func `the route /health of an unhealthy server returns status 503 with the reasons`() async throws {
        var ports = Ports()
        ports.health = { HealthReport(reasons: ["the disk is full"]) }
        var family = MetricFamily("printq_queue_depth", .gauge, help: "Jobs.")
        family.add(3)
        ports.metrics = { [family] in [family] }
        struct NoResponder: IPPResponder {
            func answer(to request: IPPRequest) async -> IPPAnswer { IPPAnswer(request.message.reply(.successfulOk)) }
        }
        let center = PrintCenter(
            PrintCenter.Configuration(service: "printd"), responder: NoResponder(), sessions: Sessions(clock: { 0 }),
            ports: ports, clock: { 0 })
        let peer = Peer.unix(uid: CenterBench.ann, gid: CenterBench.ann, pid: 1)
        let health = await center.answer(to: WebRequest(.get, "/health", peer: peer))
        #expect(health.status == .serviceUnavailable)
        #expect(try health.json()["reasons"] as? [String] == ["the disk is full"])
        let metrics = await center.answer(to: WebRequest(.get, "/metrics", peer: peer))
        #expect(metrics.headers[.contentType] == MetricsText.mediaType)
        #expect(metrics.text.contains("printq_queue_depth 3\n") && metrics.text.contains("printq_event_streams 0\n"))
        #expect(metrics.text.hasSuffix("# EOF\n"))
    }
}
