import Foundation
import PrintTestSupport
import Testing

/// Tests of printers that require TLS or a password.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SecurePrinterTests {
    private var pdf: PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { page in page.fill(.black, x: 0, y: 421, width: 298, height: 421) }
        return pdf
    }

    @Test
    func `jobs are printed over TLS, and a changed certificate stops printing until a user trusts the certificate`()
        async throws
    {
        let printer = try SecurePrinter()
        let spooler = try TestSpooler()
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
        try await spooler.eventually("the job waits until the user trusts the certificate") {
            try await spooler.why(2).contains("printq printers trust office")
        }
        try await spooler.expectStopped(
            "office", "of localhost:\(printer.port) has changed", "cups-certificate-error")
        expect(try await spooler.printq("printers", "trust", "office"))
        try await spooler.waitForEnd(of: 2)
        expectPixels(try printer.job(2).pages[0], half)
        // There is no new certificate to trust.
        #expect(try await spooler.printq("printers", "trust", "office").code != 0)
    }

    @Test
    func `printd trusts only valid certificates from the certificate authorities in the setting 'tlsAuthorities'`()
        async throws
    {
        let spooler = try TestSpooler()
        let ours = try await CertificateAuthority("ours", in: spooler)
        let other = try await CertificateAuthority("other", in: spooler)
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try "{ tlsAuthorities: '\(ours.certificate)' }".write(
            toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        try spooler.start()
        let file = try spooler.file("half.pdf", pdf)
        let good = try SecurePrinter(identity: try await ours.sign("good"))
        for uri in [good.uri, good.uri.replacing("localhost", with: "127.0.0.1")] {
            expect(try await spooler.printq("printers", "add", "office", uri))
            expect(try await spooler.printq("submit", "--wait", "-d", "office", file))
            expect(try await spooler.printq("printers", "remove", "office"))
        }
        let refused = [
            (
                try await other.sign("strange"),
                "no certificate authority in '\(ours.certificate)' has signed the certificate"
            ),
            (try await ours.sign("old", days: -1), "the certificate has expired"),
            (
                try await ours.sign("elsewhere", for: "DNS:elsewhere"),
                "the certificate is not for the host name 'localhost'"
            ),
        ]
        for (identity, words) in refused {
            let printer = try SecurePrinter(identity: identity)
            let added = try await spooler.printq("printers", "add", "office", printer.uri)
            expect(added, code: 77)
            #expect(added.complaints.contains("is invalid: \(words); nothing was sent"), "\(added)")
            expect(try await spooler.printq("printers", "add", "office", printer.uri, "--no-check"))
            let id = try await spooler.submit(file, "-d", "office")
            try await eventually("the job waits") { try await spooler.why(id).contains(words) }
            try await spooler.expectStopped("office", words, "cups-certificate-error")
            let trust = try await spooler.printq("printers", "trust", "office")
            #expect(trust.code != 0 && trust.complaints.contains("tlsAuthorities in 'printd.json5'"), "\(trust)")
            expect(try await spooler.printq("printers", "remove", "office", "--cancel-jobs"))
        }
    }

    @Test func `a job waits for a password and continues after the login, and no output shows the password`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let file = try spooler.file("half.pdf", pdf)
        // This job starts the simulated printers that are behind the proxy.
        expect(try await spooler.printq("submit", "--wait", "-d", "mono-laser", file))
        let door = try PasswordDoor(
            to: "\(spooler.spool)/printsim.sock", authorization: "Basic YW5uOm9wZW4gc2VzYW1l")
        try await spooler.addPrinter("office", at: "ipp://localhost:\(door.port)/ipp/print/mono-laser")
        expect(try await spooler.printq("submit", "-d", "office", file))
        try await spooler.eventually("the job waits for a password") {
            try await spooler.why(2).contains("printq printers login office")
        }
        let wish = "requires a login; store the credentials with 'printq printers login office'"
        try await spooler.expectStopped("office", wish, "cups-held-for-authentication")
        let next = try await spooler.printq("show", "2")
        #expect(next.output.contains(wish), "\(next)")
        let other = try await spooler.printq(
            "printers", "add", "other", "ipp://localhost:\(door.port)/ipp/print/mono-laser")
        expect(other, code: 77)
        #expect(other.complaints.contains("other is not added: "), "\(other)")
        #expect(
            other.complaints.contains(
                "'printq printers login other'; first add the printer with --no-check"),
            "\(other)")
        expect(try await spooler.printq("printers", "login", "office", "--user", "ann", input: "wrong one\n"))
        try await spooler.eventually("the wrong password is refused") {
            try await spooler.why(2).contains("rejected the password of 'ann'")
        }
        #expect(door.refused < 30, "printd must not retry a refused login in a loop")
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

    @Test
    func `'printers login' disables the terminal's echo, and enables the echo again after the input or an interrupt`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        try await spooler.addPrinter("office", at: "ipp://localhost:1/ipp/print")
        for (keys, code) in [("open sesame\n", Int32(0)), ("open ses\u{3}", 130)] {
            let terminal = try PseudoTerminal()
            func isSilent() -> Bool { terminal.attributes.c_lflag & tcflag_t(ECHO) == 0 }
            #expect(!isSilent())
            let arguments = terminal.shellArguments(
                running: spooler.program("printq"), ["printers", "login", "office", "--user", "ann"])
            async let running = spooler.run("/bin/sh", arguments)
            try await eventually("the terminal does not echo") { isSilent() }
            terminal.write(keys)
            let run = try await running
            expect(run, code: code)
            #expect(run.complaints.contains("Password of ann at office: "), "\(run)")
            #expect(!isSilent())
            terminal.write("what comes after\n")
            let screen = try await terminal.read(until: "after")
            #expect(!screen.contains("sesame") && !screen.contains("ses"), "\(screen)")
        }
        #expect(text(of: "\(spooler.spool)/access/office.json").contains("\"open sesame\""))
    }
}
