import Foundation
import PrintTestSupport
import Testing

/// Printers that are reached over TLS, and that want a password.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SecurePrinterTests {
    private var pdf: PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { page in page.fill(.black, x: 0, y: 421, width: 298, height: 421) }
        return pdf
    }

    private func why(_ id: Int, _ spooler: Spooler) async throws -> String {
        try await spooler.printq("why", "\(id)").output
    }

    @Test func `a printer is printed on under TLS, and not when it becomes another, until it is trusted`() async throws
    {
        let printer = try SecurePrinter()
        let spooler = try Spooler()
        try spooler.start()
        try await spooler.addPrinter("office", at: printer.uri)
        let file = try spooler.file("half.pdf", pdf)
        expect(try await spooler.printq("submit", "--wait", "-d", "office", "--scaling", "fit", file))
        let half = """
            KK__
            KK__
            ____
            ____
            """
        expectPixels(try printer.job(1).pages[0], half)

        try printer.changeCertificate()
        expect(try await spooler.printq("submit", "-d", "office", "--scaling", "fit", file))
        try await eventually("the job waits for trust") {
            try await why(2, spooler).contains("printq printers trust office")
        }
        #expect(try await spooler.printq("printers").output.contains("Its certificate is not trusted"))
        expect(try await spooler.printq("printers", "trust", "office"))
        try await spooler.waitForEnd(of: 2)
        expectPixels(try printer.job(2).pages[0], half)
        // There is nothing more to accept.
        #expect(try await spooler.printq("printers", "trust", "office").code != 0)
    }

    @Test func `a job waits for a password, and goes on when it is given; nobody else sees it`() async throws {
        let spooler = try Spooler()
        try spooler.start()
        let file = try spooler.file("half.pdf", pdf)
        // Wakes the simulated printers, which stand behind the door.
        expect(try await spooler.printq("submit", "--wait", "-d", "mono-laser", file))
        let door = try PasswordDoor(
            to: "\(spooler.spool)/printsim.sock", authorization: "Basic YW5uOm9wZW4gc2VzYW1l")
        try await spooler.addPrinter("office", at: "ipp://localhost:\(door.port)/ipp/print/mono-laser")
        expect(try await spooler.printq("submit", "-d", "office", file))
        try await eventually("the job waits for a password") {
            try await why(2, spooler).contains("printq printers login office")
        }
        expect(try await spooler.printq("printers", "login", "office", "--user", "ann", input: "wrong one\n"))
        try await eventually("the wrong one is refused") {
            try await why(2, spooler).contains("does not take the password of 'ann'")
        }
        #expect(door.refused < 30, "a printer that refuses is not asked again and again")
        expect(try await spooler.printq("printers", "login", "office", "--user", "ann", input: "open sesame\n"))
        try await spooler.waitForEnd(of: 2)
        let path = "\(spooler.spool)/access/office.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600 && text(of: path).contains("open sesame"))
        for told in [text(of: spooler.folder.path("printd.err")), try await spooler.printq("show", "2").output] {
            #expect(!told.contains("sesame") && !told.contains("wrong one"))
        }
        expect(try await spooler.printq("printers", "logout", "office"))
        #expect(!text(of: path).contains("sesame"))
    }
}
