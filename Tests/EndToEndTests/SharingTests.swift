// Tests shared printers with a real Avahi daemon.

import Foundation
import PrintTestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: PrivateAvahi.isPossible, Comment(rawValue: PrivateAvahi.requirement)))
struct SharingTests {
    private let spooler: TestSpooler
    private let avahi: PrivateAvahi

    init() throws {
        spooler = try TestSpooler()
        avahi = try PrivateAvahi()
    }

    /// Starts printd with an address for clients on the network, and with the bus of the Avahi daemon.
    private func start() async throws -> Int {
        let launcher = spooler.folder.path("with-bus")
        try "#!/bin/sh\nexec env '\(avahi.environment)' \"$@\"\n".write(
            toFile: launcher, atomically: true, encoding: .utf8)
        chmod(launcher, 0o755)
        let port = try LoopbackPort(isShared: true).number
        expect(try await spooler.printq("init"))
        expect(try await spooler.printq("network", "enable", "--listen", "127.0.0.1:\(port)", "--allow", "127.0.0.0/8"))
        try spooler.start(tcp: true, launcher: launcher)
        return port
    }

    /// Waits until `printq printers show` contains a text.
    private func waitUntilShown(_ text: String, of printer: String) async throws {
        try await eventually("'printers show \(printer)' shows '\(text)'") {
            try await spooler.printq("printers", "show", printer).output.contains(text)
        }
    }

    /// Returns what Avahi knows of the services of a type.
    ///
    /// `avahi-browse -t` never ends if a service is removed while it is resolved (avahi/avahi#264), so it is repeated.
    private func browse(_ type: String) async throws -> String {
        let limited = [avahi.environment, "timeout", "10", "avahi-browse", "-rpt", type]
        var browsed = try await spooler.run("env", limited)
        while browsed.code == 124 { browsed = try await spooler.run("env", limited) }
        return browsed.output
    }

    @Test func `a shared printer is published for AirPrint and IPP Everywhere, and withdrawn when it is not shared`()
        async throws
    {
        let port = try await start()
        let shared = try await spooler.printq("printers", "share", "color-laser", "--name", "Büro 1")
        expect(shared)
        #expect(shared.output.hasPrefix("color-laser is shared for clients with a token"))
        try await waitUntilShown("as 'Büro 1', for clients with a token", of: "color-laser")
        let services = try await browse("_ipps._tcp")
        #expect(services.contains(";\(port);"))
        for entry in [
            "rp=printers/color-laser", "pdl=application/pdf,image/urf,image/pwg-raster,image/jpeg", "TLS=1.3",
            "air=username,password", "Color=T", "Duplex=T", "URF=",
        ] { #expect(services.contains(entry), "\(entry) in \(services)") }
        for type in ["_universal._sub._ipps._tcp", "_print._sub._ipps._tcp", "_printer._tcp"] {
            #expect(try await browse(type).contains("ro\\0321"), "\(type)")
        }
        #expect(!(try await browse("_ipp._tcp").contains("color-laser")), "plain connections are refused")
        let found = try await spooler.run("env", [avahi.environment, "ippfind", "-T", "5", "_ipps._tcp", "--print"])
        #expect(found.output.contains("ipps://localhost.local:\(port)/printers/color-laser"), "\(found)")

        expect(try await spooler.printq("printers", "change", "color-laser", "--location", "Room 2"))
        try await eventually("the record has the new location") {
            try await browse("_ipps._tcp").contains("note=Room 2")
        }
        #expect(try await spooler.printq("printers", "unshare", "color-laser").output == "color-laser is not shared\n")
        try await eventually("the printer is withdrawn") {
            try await !browse("_ipps._tcp").contains("printers/color-laser")
        }
    }

    @Test func `if the name is in use, the printer is published under another name, also after a restart of Avahi`()
        async throws
    {
        _ = try await start()
        for printer in ["mono-laser", "inkjet"] {
            expect(try await spooler.printq("printers", "share", printer, "--name", "Office"))
            try await waitUntilShown("as 'Office", of: printer)
        }
        try await waitUntilShown("as 'Office (2)'", of: "inkjet")
        avahi.killDaemon()
        try await waitUntilShown("not published: no Avahi daemon is running", of: "inkjet")
        #expect(try await spooler.printq("doctor").output.contains("no Avahi daemon is running"))
        try avahi.startDaemon()
        try await waitUntilShown("as 'Office (2)'", of: "inkjet")
        #expect(try await spooler.printq("export", "-").output.contains(#""dns-sd-name": "Office""#))
    }

    @Test func `a printer that is shared while printd does not listen on the network reports the reason`() async throws
    {
        try spooler.start()
        let shared = try await spooler.printq("printers", "share", "color-laser", "--anonymous")
        #expect(
            shared.output == "color-laser is shared for everyone on the network; not published: printd does not listen "
                + "on the network; 'printq network enable' opens it\n")
        #expect(try await spooler.printq("doctor").output.contains("printd does not listen on the network"))
    }
}
