import FoundationEssentials
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of the real printsim with avahi-browse, ippfind and a private Avahi daemon.
@Suite(.serialized, .enabled(if: PrivateAvahi.isPossible, Comment(rawValue: PrivateAvahi.requirement)))
struct DNSSDTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("printers"), withIntermediateDirectories: true)
        try printer("laser", "Laser", more: "color: true, location: 'Room 2', maxCopies: 9, kind: ['document']")
        try printer("label", "Label", formats: "['image/jpeg', 'image/pwg-raster']", more: "kind: 'label'")
    }

    private func printer(
        _ name: String, _ info: String, formats: String = "['application/pdf', 'image/jpeg', 'image/urf']", more: String
    ) throws {
        let text = """
            { name: '\(name)', info: '\(info)', makeAndModel: 'Acme \(info)', media: 'A4', formats: \(formats), \(more) }
            """
        try text.write(toFile: folder.path("printers/\(name).json5"), atomically: true, encoding: .utf8)
    }

    /// Starts printsim and returns the program and its port.
    private func start(
        _ arguments: [String], in avahi: PrivateAvahi, output: String = "output"
    ) throws -> (program: ChildProgram, port: Int) {
        let program = try avahi.start(
            Programs.besideTests("printsim"),
            ["--simulators", folder.path("printers"), "--output", folder.path(output)] + arguments)
        while let line = program.readLine() {
            guard line.hasPrefix("{") else { continue }
            let authority = line.split(separator: "ipp://localhost:").dropFirst().first
            return (program, try #require(authority.flatMap { Int($0.prefix { $0.isNumber }) }))
        }
        throw ChildProgram.Failure(description: "printsim was not ready")
    }

    /// Reads a program's lines until one line contains all words, and returns that line.
    @discardableResult
    private func line(of program: ChildProgram, with words: String...) throws -> String {
        var seen: [String] = []
        while let line = program.readLine() {
            if words.allSatisfy({ line.contains($0) }) { return line }
            seen.append(line)
        }
        throw ChildProgram.Failure(description: "no line contains \(words): \(seen)")
    }

    @Test func `DNS-SD browsers find each printer by type and subtype, with the values of the printer file`()
        async throws
    {
        let avahi = try PrivateAvahi()
        let (printsim, port) = try start(["laser", "label", "--dns-sd"], in: avahi)
        try line(of: printsim, with: "is published")
        try line(of: printsim, with: "is published")

        let browser = try avahi.start("avahi-browse", ["-rpk", "_ipp._tcp"])
        let laser = try line(of: browser, with: "=;lo;IPv4;Laser;")
        #expect(laser.contains(";localhost.local;127.0.0.1;\(port);"))
        for entry in [
            "txtvers=1", "qtotal=1", "rp=ipp/print/laser", "ty=Acme Laser", "note=Room 2", "product=(Acme Laser)",
            "pdl=application/pdf,image/jpeg,image/urf", "adminurl=http://localhost.local:\(port)/printers/laser",
            "Color=T",
            "Duplex=F", "Copies=T", "Collate=T", "kind=document", "PaperMax=legal-A4", "priority=50",
        ] {
            #expect(laser.contains("\"\(entry)\""), "\(entry) in \(laser)")
        }
        #expect(laser.contains("\"URF=V1.4,") && laser.contains("\"UUID=") && !laser.contains("urn:"))

        // `ippfind` lists each printer once per type, and exits when no new service appears for one second.
        func found(_ type: String) throws -> [Substring] {
            try avahi.start("ippfind", ["-T", "1", type]).finish().output.split(separator: "\n").sorted()
        }
        let uris = ["label", "laser"].map { "ipp://localhost.local:\(port)/ipp/print/\($0)" }
        #expect(try found("_ipp._tcp,_print").map(String.init) == uris)
        #expect(
            try found("_ipp._tcp,_universal").map(String.init) == [uris[1]], "only one printer supports Apple raster")

        let flagship = try avahi.start("avahi-browse", ["-rpk", "_printer._tcp"])
        #expect(try line(of: flagship, with: "=;lo;IPv4;Laser;").contains(";127.0.0.1;0;"))
    }

    @Test func `printer-dns-sd-name contains the published name and can be changed`() async throws {
        let avahi = try PrivateAvahi()
        let (printsim, port) = try start(["laser", "--dns-sd"], in: avahi)
        try line(of: printsim, with: "is published")
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        let uri = "ipp://localhost:\(port)/ipp/print/laser"
        func name() async throws -> String? {
            let answer = try await client.send(TestPrinters.request(.getPrinterAttributes, at: uri))
            return answer[.printer]?.string("printer-dns-sd-name")
        }
        #expect(try await name() == "Laser")
        let settings = [
            Attribute("printer-dns-sd-name", .name("Ann's")), Attribute("printer-location", .text("Attic")),
        ]
        let set = try await client.send(TestPrinters.request(.setPrinterAttributes, at: uri, printer: settings))
        #expect(set.status.isSuccessful, "\(set)")
        try line(of: printsim, with: "is published by DNS-SD as 'Ann's'")
        #expect(try await name() == "Ann's")
        let browser = try avahi.start("avahi-browse", ["-rpk", "_ipp._tcp"])
        #expect(try line(of: browser, with: "=;lo;IPv4;Ann").contains("\"note=Attic\""))
        await client.close()
    }

    @Test func `printers are published again after the Avahi daemon or the D-Bus daemon restarts`() throws {
        let avahi = try PrivateAvahi(hasDaemon: false)
        let (printsim, _) = try start(["laser", "--dns-sd"], in: avahi)
        try line(
            of: printsim, with: "cannot publish by DNS-SD: no Avahi daemon is running; waiting for the Avahi daemon")
        try avahi.startDaemon()
        try line(of: printsim, with: "laser is published by DNS-SD as 'Laser'")
        avahi.killDaemon()
        try line(of: printsim, with: "laser is no longer published by DNS-SD")
        try avahi.startDaemon()
        try line(of: printsim, with: "laser is published by DNS-SD as 'Laser'")
        avahi.killDaemon()
        avahi.killBus()
        try avahi.startBus()
        try avahi.startDaemon()
        try line(of: printsim, with: "laser is published by DNS-SD as 'Laser'")
        let browser = try avahi.start("avahi-browse", ["-rpk", "_ipp._tcp"])
        try line(of: browser, with: "=;lo;IPv4;Laser;")
    }

    @Test func `if the DNS-SD name of a printer is already used, the printer is published with a number in its name`()
        throws
    {
        let avahi = try PrivateAvahi()
        let (first, _) = try start(["laser", "--dns-sd"], in: avahi)
        try line(of: first, with: "is published by DNS-SD as 'Laser'")
        let (second, port) = try start(["laser"], in: avahi, output: "other")
        try line(of: second, with: "laser is published by DNS-SD as 'Laser (2)'")
        let browser = try avahi.start("avahi-browse", ["-rpk", "_ipp._tcp"])
        #expect(try line(of: browser, with: "=;lo;IPv4;Laser\\032\\0402\\041;").contains(";\(port);"))
    }

    @Test func `a printer is withdrawn from DNS-SD when the printer is switched off and when printsim exits`()
        async throws
    {
        let avahi = try PrivateAvahi()
        let (printsim, port) = try start(["laser", "label", "--dns-sd"], in: avahi)
        try line(of: printsim, with: "is published")
        try line(of: printsim, with: "is published")
        let browser = try avahi.start("avahi-browse", ["-pk", "_ipp._tcp"])
        try line(of: browser, with: "+;lo;IPv4;Laser;")
        func power(_ position: String) async throws {
            let run = try await ProgramRun(
                Programs.besideTests("printsim"), ["power", position],
                environment: ["PRINTSIM_URI": "ipp://localhost:\(port)/ipp/print/laser"], in: folder.path("."))
            #expect(run.code == 0, "\(run)")
        }
        try await power("off")
        try line(of: browser, with: "-;lo;IPv4;Laser;")
        try await power("on")
        try line(of: browser, with: "+;lo;IPv4;Laser;")
        printsim.terminate()
        try line(of: browser, with: "-;lo;IPv4;Label;")
        #expect(try printsim.finish().code == 0)
    }

    @Test func `without D-Bus, printsim runs, and reports an error unless the option --no-dns-sd is set`() throws {
        let avahi = try PrivateAvahi(hasDaemon: false)
        avahi.killBus()
        let (printsim, _) = try start(["laser"], in: avahi)
        let (silent, _) = try start(["laser", "--no-dns-sd"], in: avahi, output: "other")
        try line(of: printsim, with: "cannot publish by DNS-SD: no Avahi daemon is running")
        printsim.terminate()
        #expect(try printsim.finish() == (0, ""))
        silent.terminate()
        #expect(try silent.finish() == (0, ""))
    }
}
