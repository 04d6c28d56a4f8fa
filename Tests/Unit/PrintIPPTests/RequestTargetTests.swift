// Tests the URIs in requests and responses.

import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import Testing

struct RequestTargetTests {
    private let service = ScriptedService(jobs: [.sample(id: 5)])

    @Test(arguments: [
        ("ipp://localhost/printers/office", "ipp://localhost/printers/office"),
        ("ipps://print.example:8631/printers/office", "ipps://print.example:8631/printers/office"),
        ("http://localhost:631/printers/office", "ipp://localhost:631/printers/office"),
        ("https://localhost:631/printers/office", "ipps://localhost:631/printers/office"),
        ("IPP://[::1]:8631/printers/office", "ipp://[::1]:8631/printers/office"),
        ("ipp://localhost/ipp/print/office", "ipp://localhost/ipp/print/office"),
        ("ipp://localhost/printers/office?waitjob=false", "ipp://localhost/printers/office"),
        ("ipp://localhost?waitjob=false", "ipp://localhost/printers/office"),
        ("ipp://localhost/printers//office/", "ipp://localhost/printers/office"),
        ("ipp://localhost/classes/office", "ipp://localhost/printers/office"),
        ("ipp://localhost/", "ipp://localhost/printers/office"),
        ("ipp://localhost", "ipp://localhost/printers/office"),
        ("ipp://localhost/ipp/print", "ipp://localhost/ipp/print/office"),
    ])
    func `a response contains the printer URI that the client used`(asked: String, given: String) async {
        let answer = await service.ask(.getPrinterAttributes, asked)
        #expect(answer.status == .successfulOk)
        #expect(answer[.printer]?.string("printer-uri-supported") == given)
    }

    @Test(arguments: [
        (
            "ipp://h:8/ipp/print/office", [URISecurity.none, .tls],
            ["ipp://h:8/ipp/print/office", "ipps://h:8/ipp/print/office"]
        ),
        ("ipps://h:8/ipp/print/office", [.none, .tls], ["ipps://h:8/ipp/print/office", "ipp://h:8/ipp/print/office"]),
        ("ipp://h:8/ipp/print/office", [.tls], ["ipps://h:8/ipp/print/office"]),
        ("ipp://h:8/printers/office", [.none, .tls], ["ipp://h:8/printers/office"]),
        ("ipps://h:8/printers/office", [.none, .tls], ["ipps://h:8/printers/office"]),
    ])
    func `printer-uri-supported lists one URI per security mode, or only the client's URI for paths below /printers/`(
        asked: String, offered: [URISecurity], given: [String]
    ) async {
        let operations = PrinterOperations(
            service, numbersJobsGlobally: false, isOpen: true, security: offered, clock: { 1 })
        func printer(_ peer: Peer) async -> AttributeGroup? {
            let message = Message(
                operation: .getPrinterAttributes, requestID: 1,
                groups: [
                    .operation([Attribute("printer-uri", .uri(asked))])
                ])
            return await operations.respond(to: IPPRequest(message: message, peer: peer))[.printer]
        }
        let remote = await printer(.tcp(address: "127.0.0.1", port: 1))
        #expect(remote?.strings("printer-uri-supported") == given)
        #expect(
            remote?.keywords("uri-security-supported") == given.map { $0.hasPrefix("ipps:") ? "tls" : "none" })
        #expect(remote?.keywords("uri-authentication-supported") == given.map { _ in "requesting-user-name" })
        #expect(
            remote?.string("printer-more-info")
                == (given[0].hasPrefix("ipps:") ? "https" : "http") + "://h:8/printers/office")
        let local = await printer(.unix(uid: 1, gid: 1, pid: 1))
        #expect(local?.strings("printer-uri-supported") == [asked])
    }

    @Test(arguments: [
        ("ipp://h:8/ipp/print/office", ["ipps://h:8/ipp/print/office", "ipp://h:8/ipp/print/office"]),
        ("ipp://h:8/printers/office", ["ipps://h:8/printers/office"]),
    ])
    func `over an encrypted connection, the TLS URI is listed first, regardless of the scheme in 'printer-uri'`(
        asked: String, given: [String]
    ) async {
        let operations = PrinterOperations(
            service, numbersJobsGlobally: true, isOpen: true, security: [.none, .tls], clock: { 1 })
        let message = Message(
            operation: .getPrinterAttributes, requestID: 1,
            groups: [.operation([Attribute("printer-uri", .uri(asked))])])
        let peer = Peer.tcp(address: "127.0.0.1", port: 1)
        let answer = await operations.respond(to: IPPRequest(message: message, peer: peer, isEncrypted: true))
        #expect(answer[.printer]?.strings("printer-uri-supported") == given)
        #expect(answer[.printer]?.keywords("uri-security-supported") == (given.count == 1 ? ["tls"] : ["tls", "none"]))
        #expect(answer[.printer]?.string("printer-more-info") == "https://h:8/printers/office")
    }

    @Test func `a printer can be named 'jobs'`() async {
        var printer = ServedPrinter.office()
        printer.name = "jobs"
        let service = ScriptedService(printers: [.office(), printer])
        let answer = await service.ask(.getPrinterAttributes, "ipp://localhost/printers/jobs")
        #expect(answer[.printer]?.string("printer-name") == "jobs")
    }

    @Test(arguments: [
        ("ftp://localhost/printers/office", Status.clientErrorBadRequest),
        ("office", .clientErrorBadRequest), ("", .clientErrorBadRequest),
        ("ipp:///printers/office", .clientErrorBadRequest),
        ("ipp://localhost/printers/nowhere", .clientErrorNotFound),
        ("ipp://localhost/printers/%6Fffice", .clientErrorNotFound),
        ("ipp://localhost/a/b/c/office", .clientErrorNotFound), ("ipp://localhost/office", .clientErrorNotFound),
        ("ipp://localhost/" + String(repeating: "x", count: 1024), .clientErrorRequestValueTooLong),
    ])
    func `a URI that is not a printer URI is rejected`(uri: String, status: Status) async {
        let answer = await service.ask(.getPrinterAttributes, uri)
        #expect(answer.status == status)
        #expect(answer.statusMessage?.isEmpty == false)
    }

    @Test(arguments: [
        "ipp://localhost/jobs/5", "ipp://localhost/printers/office/jobs/5", "ipp://[::1]:631/jobs/5?x#y",
    ])
    func `a job is found by its URI`(uri: String) async {
        let answer = await service.ask(.getJobAttributes, uri)
        #expect(answer[.job]?.integer("job-id") == 5)
        #expect(answer[.job]?.string("job-uri")?.hasSuffix("/jobs/5") == true)
    }

    @Test(arguments: [
        "ipp://localhost/jobs/x", "ipp://localhost/jobs/99999999999999999999", "ipp://localhost/jobs/5/6",
        "ipp://localhost/jobs/6", "ipp://localhost/printers/other/jobs/5",
    ])
    func `a request with an invalid job URI is rejected with not-found`(uri: String) async {
        #expect(await service.ask(.getJobAttributes, uri).status == .clientErrorNotFound)
    }

    @Test func `a job is found by its printer and number, and a number below 1 is invalid`() async {
        for uri in ["ipp://localhost/", "ipp://localhost/printers/office"] {
            let answer = await service.ask(.getJobAttributes, uri, [Attribute("job-id", .integer(5))])
            #expect(answer[.job]?.integer("job-id") == 5)
        }
        for id in [0, -1, Int32.min] {
            let answer = await service.ask(.getJobAttributes, "ipp://localhost/", [Attribute("job-id", .integer(id))])
            #expect(answer.status == .clientErrorBadRequest)
        }
        #expect(await service.ask(.getJobAttributes, "ipp://localhost/").status == .clientErrorBadRequest)
    }

    @Test func `if jobs are numbered per printer, job URIs contain the printer`() async {
        let answer = await service.ask(.getJobAttributes, "ipp://h/ipp/print/office/jobs/5", global: false)
        #expect(answer[.job]?.string("job-uri") == "ipp://h/ipp/print/office/jobs/5")
    }

    @Test(
        arguments: [
            // libcups sends no printer URI, or writes localhost for every server.
            (nil, "localhost:8631", "localhost:8631"), (nil, "print.local:8631", "print.local:8631"),
            ("ipp://localhost/printers/office", "localhost:8631", "localhost:8631"),
            ("ipp://localhost:8631/printers/office", "print.local:8631", "print.local:8631"),
            // A URI that identifies this server is kept.
            ("ipp://localhost:8631/printers/office", "localhost", "localhost:8631"),
            ("ipp://other.local:631/printers/office", "localhost:8631", "other.local:631"),
            (nil, "a b\"", "localhost"),
        ] as [(String?, String, String)])
    func `the URIs in a response contain the host that the client used`(
        uri: String?, host: String, authority: String
    ) async throws {
        let operations = PrinterOperations(service, numbersJobsGlobally: true, isOpen: false, clock: { 0 })
        var group = AttributeGroup.operation()
        if let uri { group.append("printer-uri", .uri(uri)) }
        let message = Message(
            version: .v1_1, operation: uri == nil ? .cupsGetPrinters : .getPrinterAttributes, requestID: 1,
            groups: [group])
        let answer = await operations.respond(
            to: IPPRequest(message: message, peer: .tcp(address: "127.0.0.1", port: 1), host: host))
        #expect(answer[.printer]?.string("printer-uri-supported")?.hasPrefix("ipp://\(authority)/printers/") == true)
    }
}
