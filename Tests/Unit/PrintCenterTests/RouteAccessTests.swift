import HTTPTypes
import IPP
import IPPServer
import PrintIPP
import PrintModel
import PrintTestSupport
import SpoolerClient
import Testing

// PrintIPP has a type with the same name.
import protocol PrintCenter.JobPages
@testable import PrintCenter

/// Tests of each route with each kind of requester, according to the access rule of the route.
struct RouteAccessTests {
    /// A column of the access table: the requester, and the ownership of the job or upload.
    struct Column: CustomTestStringConvertible, Sendable {
        var kind: RequesterKind
        var ownership: Ownership
        var place: Place

        enum Place: String {
            case browser, socket
            /// A browser on another machine.
            case network
        }

        var isOnSocket: Bool { place == .socket }

        var testDescription: String { "\(kind.rawValue), \(ownership.rawValue), \(place.rawValue)" }

        var uid: UInt32 { kind == .administrator ? CenterBench.administrator : CenterBench.ann }

        /// The owner of the jobs and uploads.
        var owner: String {
            switch (ownership, kind) {
            case (.others, _): "bob"
            case (.own, .administrator): "adm"
            case (.own, _): "ann"
            }
        }

        /// The requesters at each place; a reader cannot sign in (`NetworkLoginTests`).
        private static let kinds: [(Place, [RequesterKind])] = [
            (.browser, [.anonymous, .user, .administrator]), (.socket, [.user, .administrator]),
            (.network, [.anonymous, .networkUser, .administrator]),
        ]

        static let all = kinds.flatMap { place, kinds in
            kinds.flatMap { kind in
                Ownership.allCases.map { Column(kind: kind, ownership: $0, place: place) }
            }
        }
    }

    /// The routes that cannot succeed here: the printer cannot identify itself, no program draws the test page, and the
    /// waiting job is the next job.
    private static let incomplete = [
        "/api/v1/printers/:name/identify", "/api/v1/printers/:name/test-page", "/api/v1/jobs/:id/advance",
        // Only the network has a login page, and its form is empty here.
        "/login",
    ]

    @Test(arguments: Column.all)
    func `each route is allowed or refused according to its access rule`(column: Column) async throws {
        var world = try await RouteWorld(column)
        for route in Route.all {
            let answer = try await world.ask(route)
            let name = "\(route.method) \(route.path): \(answer.status) \(answer.text)"
            let isReachable = route.access != .unixSocket || column.isOnSocket
            switch isReachable ? route.permission(of: column.kind, column.ownership) : .refused {
            case .allowed:
                #expect(![401, 403].contains(answer.status.code), "\(name)")
                #expect(answer.status.code < 400 || Self.incomplete.contains(route.path), "\(name)")
                if route.method != .get || route.path == "/open" { world = try await RouteWorld(column) }
            case .refused:
                // The server does not tell whether an upload of another user exists. A command for several jobs has a
                // result for each job.
                let isRefused = [401, 403, 404].contains(answer.status.code) || answer.text.contains(#""done":false"#)
                #expect(isRefused, "\(name)")
                #expect(!world.shows(answer), "\(name)")
                #expect(try await world.isUntouched(), "\(name)")
            case .withoutPrivateValues:
                #expect(answer.status == .ok && !world.shows(answer), "\(name)")
            }
        }
    }

    @Test func `an owner sees the name of a job on each route that hides the name from other users`() async throws {
        let world = try await RouteWorld(Column(kind: .user, ownership: .own, place: .socket))
        // An event contains no name, and simulated printers have no users.
        let nameless = ["/api/v1/events", "/api/v1/printers/:name/jobs"]
        for route in Route.all where route.rule == .everyoneInPart && !nameless.contains(route.path) {
            #expect(try await world.ask(route).text.contains("salaries"), "\(route.path)")
        }
    }
}

/// A Print Center with jobs in several states, an upload, a preview and a simulated printer, all of one owner.
private struct RouteWorld {
    private let column: RouteAccessTests.Column
    private let network: NetworkBench
    private var bench: CenterBench { network.bench }
    private let browser: Browser?
    private let held, suspended, ended, waiting: Int
    private let jobs: [Job]
    private let printers: [ConfiguredPrinter]

    init(_ column: RouteAccessTests.Column) async throws {
        self.column = column
        let files = OwnedFiles(owner: column.owner, document: try TemporaryFolder())
        try PDFBuilder.numbered(pages: 1).write(to: files.document.path("salaries.pdf"))
        var ports = Ports.withSimulatedJobs
        (ports.uploads, ports.pages, ports.previews) = (files, files, files)
        ports.simulators = SimulatorPort { request in
            let entry = IPP.Collection([
                Attribute("log-number", .integer(1)), Attribute("log-job", .integer(1)),
                Attribute("log-job-name", .name("salaries")), Attribute("log-job-text", .text("copies 3")),
            ])
            return request.reply(
                .successfulOk,
                groups: [AttributeGroup(.printer, [Attribute("printq-log-col", .collection(entry))])])
        }
        ports.backup = { _ in { _ in } }
        ports.metrics = { [] }
        ports.printerPage = { _ in Array("page".utf8) }
        network = try await NetworkBench(ports: ports)
        let bench = network.bench
        var ticket = JobTicket()
        ticket.copies = 3
        func add() async throws -> Int { try await bench.addJob("salaries", owner: column.owner, ticket: ticket) }
        (held, suspended, ended, waiting) = (try await add(), try await add(), try await add(), try await add())
        try await bench.spool.change(held, .holdRequested(until: nil))
        try await bench.spool.change(suspended, .claimed)
        try await bench.spool.change(suspended, .doubted(message: "salaries were lost"))
        try await bench.spool.change(ended, .cancelRequested(byOperator: false))
        _ = try await bench.addJob("salaries", owner: column.owner, ticket: ticket, pin: "4815")
        try await bench.spool.addPrinter(ConfiguredPrinter(name: "other", deviceURI: "folder:/tmp/other"))
        try await bench.spool.addPrinter(ConfiguredPrinter(name: "sim", deviceURI: "printsim:sim"))
        switch (column.place, column.kind) {
        case (.socket, _), (_, .anonymous): browser = nil
        case (.browser, _): browser = try await bench.signIn(column.uid)
        case (.network, let kind): browser = try await network.signIn(kind == .administrator ? "adm" : "ann")
        }
        jobs = try await bench.spool.jobs(JobFilter(.all))
        printers = try await bench.spool.printers()
    }

    /// Returns whether no job and no printer has changed.
    func isUntouched() async throws -> Bool {
        let (jobs, printers) = (try await bench.spool.jobs(JobFilter(.all)), try await bench.spool.printers())
        return jobs == self.jobs && printers == self.printers
    }

    /// Returns whether a response contains private values of the jobs.
    func shows(_ answer: WebAnswer) -> Bool {
        let secrets = ["salaries", "copies 3", #""name":"copies""#] + (column.ownership == .others ? ["bob"] : [])
        return secrets.contains { answer.text.contains($0) }
    }

    func ask(_ route: Route) async throws -> WebAnswer {
        let json = body(route)
        var request: WebRequest
        if let browser {
            request = browser.request(route.method, path(route), json: json)
        } else {
            let peer: Peer =
                column.isOnSocket
                ? .unix(uid: column.uid, gid: column.uid, pid: 1)
                : .tcp(address: "127.0.0.1", port: 50_000, uid: column.uid)
            let isOnNetwork = column.place == .network
            request = WebRequest(
                route.method, path(route), headers: json == nil ? [:] : [.contentType: "application/json"],
                host: isOnNetwork ? NetworkBench.host : Browser.host,
                body: json.map { WebBody(Array($0.utf8)) } ?? .empty, peer: peer, isEncrypted: isOnNetwork)
        }
        if route.path == "/open" {
            let user = SessionUser(
                uid: column.uid, gid: column.uid, name: bench.names.withLock { $0[column.uid] ?? "" })
            request.query = "token=\(bench.sessions.makeToken(for: user).token)"
        }
        return await (column.place == .network ? network.center : bench.center).answer(to: request)
    }

    private func path(_ route: Route) -> String {
        if route.path.hasPrefix("/center/") { return CenterFiles.shared.address(of: "frame/center.css") }
        let isOfJob = route.path.hasPrefix("/api/v1/jobs/")
        let job = ["resume": suspended, "reprint": ended, "release": held][route.segments.last ?? ""] ?? waiting
        let words = route.segments.map { segment in
            switch segment {
            case ":id": isOfJob ? "\(job)" : route.path.hasPrefix("/api/v1/printers/") ? "1" : "first"
            case ":number": "1"
            case ":name" where route.path.contains("/simulator") || route.segments.last == "log": "sim"
            case ":name" where route.path.contains("/:name/jobs"): "laser"
            case ":name": route.method == .delete ? "other" : "quiet"
            default: segment
            }
        }
        return "/" + words.joined(separator: "/")
    }

    private func body(_ route: Route) -> String? {
        guard route.method != .get else { return nil }
        return switch "\(route.method) \(route.path)" {
        case "POST /api/v1/jobs": #"{"uploads": ["first"]}"#
        case "POST /api/v1/jobs/actions": #"{"action": "cancel", "jobs": [\#(waiting)]}"#
        case "POST /api/v1/jobs/:id/move": #"{"printer": "other"}"#
        case "PATCH /api/v1/jobs/:id": #"{"name": "new"}"#
        case "POST /api/v1/previews": #"{"job": \#(waiting)}"#
        case "POST /api/v1/printers": #"{"name": "new", "device-uri": "folder:/tmp/new", "check": false}"#
        case "PATCH /api/v1/printers/:name": #"{"info": "new"}"#
        case "POST /api/v1/printers/:name/release": #"{"pin": "4815"}"#
        case "POST /api/v1/printers/:name/simulator/fault": #"{"fault": "media-jam"}"#
        case "POST /api/v1/printers/:name/simulator/load": #"{"tray": "tray-1"}"#
        case "POST /api/v1/printers/:name/simulator/supplies": #"{"name": "black"}"#
        case "POST /api/v1/printers/:name/simulator/power": #"{"on": true}"#
        default: "{}"
        }
    }
}

/// The upload and the preview `first` of one owner, and the pages of all jobs.
private struct OwnedFiles: Uploads, JobPages, Previews {
    let owner: String
    let document: TemporaryFolder

    private func check(_ user: CenterUser) throws(Problem) {
        guard user.name == owner || user.isAdministrator else { throw Problem.notFound("there is no such file") }
    }

    private var file: UploadedFile { UploadedFile(id: "first", name: "salaries.pdf", size: 8) }
    private var download: FileDownload { FileDownload(name: "salaries.pdf", type: "application/pdf", size: 0) { _ in } }
    private var picture: PageImageFile { PageImageFile(png: Array("salaries".utf8), tag: "a") }

    func receive(_ body: WebBody, name: String?, format: String?, of user: CenterUser) -> UploadedFile {
        UploadedFile(id: "second", name: "a.pdf", size: 8)
    }
    func upload(_ id: String, of user: CenterUser) throws(Problem) -> UploadedFile {
        try check(user)
        return file
    }
    func delete(_ id: String, of user: CenterUser) throws(Problem) { try check(user) }
    func documents(_ ids: [String], hasPassword: Bool, of user: CenterUser) throws(Problem) -> [DocumentFile] {
        // Every user has an upload with this name.
        do throws(SpoolerClientError) {
            return [try DocumentFile(path: document.path("salaries.pdf"))]
        } catch {
            throw Problem(error)
        }
    }
    func remove(_ ids: [String], of user: CenterUser) {}
    var usage: (uploads: Int, bytes: Int) { (0, 0) }

    func list(_ job: Int, _ side: PageSide, for user: CenterUser) -> PageList { PageList(unavailable: "salaries") }
    func image(of job: Int, _ side: PageSide, page: Int, _ area: PageArea, for user: CenterUser) -> PageImageFile {
        picture
    }
    func words(on page: Int, of job: Int, _ side: PageSide, for user: CenterUser) -> [PageWord] {
        [PageWord("salaries", area: .zero)]
    }
    func compare(_ job: Int, page: Int, for user: CenterUser) -> PageComparisonResult {
        PageComparisonResult(page: 1, printed: nil, differences: [], resolution: 96, tolerance: 0)
    }
    func document(_ number: Int, of job: Int) -> FileDownload { download }
    func sheets(of job: Int, for user: CenterUser) -> FileDownload { download }

    func make(
        of source: PreviewSource, printer: String?, options: [(name: String, value: String)], password: String?,
        for user: CenterUser, session: String
    ) -> PreviewResult {
        PreviewResult(
            id: "first", pages: 1, selectedPages: 1, sides: [], sideCount: 1, sheets: 1, copies: 1,
            paper: (label: "A4", width: 595, height: 842),
            margins: PageItem.Margins(top: 0, left: 0, bottom: 0, right: 0), notices: ["salaries"])
    }
    func image(of preview: String, side: Int, _ area: PageArea, for user: CenterUser) throws -> PageImageFile {
        try check(user)
        return picture
    }
}
