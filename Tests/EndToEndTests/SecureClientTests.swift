// Tests TLS clients on printd's TCP port.

import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct SecureClientTests {
    private let spooler: TestSpooler
    private var certificate: String { "\(spooler.spool)/tls/certificate.pem" }

    init() throws { spooler = try TestSpooler() }

    private func curl(_ url: String, _ arguments: String...) async throws -> ProgramRun {
        try await spooler.run(
            "curl",
            ["-sS", "-o", "/dev/null", "-w", "%{http_version} %{scheme}", "--cacert", certificate] + arguments + [url])
    }

    private func settings(_ json5: String) throws {
        try FileManager.default.createDirectory(
            atPath: spooler.spool, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try json5.write(toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
    }

    private func mode(_ path: String) -> UInt32 {
        var file = stat()
        return stat(path, &file) == 0 ? file.st_mode & 0o777 : 0
    }

    @Test func `'lp', 'lpstat' and 'cancel' produce the same results for the same user with and without TLS`()
        async throws
    {
        let host = try spooler.start(tcp: true).host
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let ways: [(arguments: [String], environment: [String: String])] = [
            (["-E", "-h", host], [:]), (["-h", host], ["CUPS_ENCRYPTION": "Always"]),
            (["-h", host], ["CUPS_ENCRYPTION": "Required"]),
            ([], ["CUPS_SERVER": host, "CUPS_ENCRYPTION": "Required"]), (["-h", host], [:]),
        ]
        for (number, way) in ways.enumerated() {
            let job = "mono-laser-\(number + 1)"
            func run(_ program: String, _ arguments: String...) async throws -> ProgramRun {
                try await spooler.run(program, way.arguments + arguments, environment: way.environment)
            }
            let printed = try await run("lp", "-d", "mono-laser", path)
            expect(printed)
            #expect(printed.output == "request id is \(job) (1 file(s))\n")
            let listed = try await run("lpstat", "-o")
            #expect(listed.output.hasPrefix("\(job) "), "\(way): \(listed)")
            #expect(try await run("lpstat", "-d").output == "system default destination: color-laser\n")
            // Only the owner may cancel a job. On TCP, printd gets the user from the kernel.
            expect(try await run("cancel", job))
            #expect(try await spooler.job(number + 1).state == "canceled")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as another user"))
    func `over TLS, printd learns the user of a connection from the kernel`() async throws {
        let host = try spooler.start(tcp: true).host
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        chmod(spooler.folder.path, 0o755)
        chmod(path, 0o644)
        let strange = try await spooler.runAsStranger("lp", "-E", "-h", host, "-d", "mono-laser", path)
        expect(strange)
        let shown = try await spooler.printq("queue", "--json")
        #expect(shown.output.contains("\"job-originating-user-name\": \"uid-3000000001\""), "\(shown)")
    }

    @Test
    func `a printer returns an ipp: and an ipps: URI for paths below /ipp/print/, and one URI for other paths`()
        async throws
    {
        let host = try spooler.start(tcp: true).host
        for (path, isPrinter) in [("ipp/print/color-laser", true), ("printers/color-laser", false)] {
            for (scheme, other, option) in [("ipp", "ipps", "-t"), ("ipps", "ipp", "-t"), ("ipp", "ipp", "-E")] {
                let run = try await spooler.run(
                    "ipptool", [option, "-tv", "\(scheme)://\(host)/\(path)", "get-printer-attributes.test"])
                expect(run)
                let first = option == "-E" ? "ipps" : scheme
                let uris = ([first] + (isPrinter ? [other] : [])).map { "\($0)://\(host)/\(path)" }
                let words = uris.map { $0.hasPrefix("ipps:") ? "tls" : "none" }.joined(separator: ",")
                let kind = isPrinter ? "1setOf " : ""
                #expect(
                    run.output.contains(
                        "printer-uri-supported (\(kind)uri) = \(uris.joined(separator: ","))\n"), "\(run)")
                #expect(run.output.contains("uri-security-supported (\(kind)keyword) = \(words)\n"))
                #expect(
                    run.output.contains(
                        "uri-authentication-supported (\(kind)keyword) = "
                            + uris.map { _ in "requesting-user-name" }.joined(separator: ",") + "\n"))
            }
        }
        let file = try spooler.file("a.pdf", .numbered(pages: 1))
        let printed = try await spooler.run(
            "ipptool", ["-tv", "-f", file, "ipps://\(host)/ipp/print/color-laser", "print-job.test"])
        expect(printed)
        #expect(printed.output.contains("job-uri (uri) = ipps://\(host)/jobs/1\n"), "\(printed)")
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")
    }

    @Test func `printd creates and reuses a certificate for its addresses, and protects the private key file`()
        async throws
    {
        let port = try #require(try spooler.start(listen: "127.0.0.2:0").tcp?.split(separator: ":").last)
        for host in ["127.0.0.2", "localhost"] {
            let run = try await curl("https://\(host):\(port)/", "--resolve", "localhost:\(port):127.0.0.2")
            expect(run)
            #expect(run.output.contains("HTTPS"), "\(run)")
        }
        let other = try await curl("https://elsewhere:\(port)/", "--resolve", "elsewhere:\(port):127.0.0.2")
        #expect(other.code == 60, "\(other)")
        #expect(mode("\(spooler.spool)/tls") == 0o700 && mode("\(spooler.spool)/tls/key.pem") == 0o600)
        let first = text(of: certificate)
        spooler.stop()
        let ready = try spooler.start(listen: "localhost:0")
        #expect(text(of: certificate) == first, "the certificate must not change after a restart")
        for address in ready.addresses ?? [] {
            expect(try await curl("https://\(address)/"))
        }
        expect(try await curl("http://\(ready.host)/"))
    }

    @Test func `printd uses a certificate that an administrator supplies in one file or in two files`() async throws {
        let authority = try await CertificateAuthority("authority", in: spooler)
        let signed = try await authority.sign("server")
        let both = try spooler.file(
            "both.pem", Array((text(of: signed.certificate) + text(of: signed.key)).utf8))
        for json5 in [
            "{ tls: { certificate: '\(signed.certificate)', key: '\(signed.key)' } }",
            "{ tls: { certificate: '../\(both.split(separator: "/").last ?? "")' } }",
        ] {
            try settings(json5)
            let host = try spooler.start(tcp: true).host
            let trusted = try await curl("https://\(host)/", "--cacert", authority.certificate)
            expect(trusted)
            #expect(try await curl("https://\(host)/", "--cacert", signed.key).code != 0)
            spooler.stop()
        }
        #expect(!FileManager.default.fileExists(atPath: certificate), "printd must not create an unused certificate")
    }

    @Test func `if the setting 'tls' is false, printd does not accept TLS`() async throws {
        try settings("{ tls: false }")
        let host = try spooler.start(tcp: true).host
        #expect(try await curl("https://\(host)/", "-k").code == 35)
        let asked = try await spooler.run(
            "ipptool", ["-tv", "ipp://\(host)/ipp/print/color-laser", "get-printer-attributes.test"])
        #expect(asked.output.contains("uri-security-supported (keyword) = none\n"), "\(asked)")
        #expect(!FileManager.default.fileExists(atPath: certificate))
        let doctor = try await spooler.printq("doctor")
        #expect(
            doctor.lines.contains { $0.contains("can connect to 127.0.0.1:") && $0.hasSuffix("(ipp:)") }, "\(doctor)")
    }

    @Test func `invalid TLS settings are rejected with a message that explains the error`() async throws {
        let authority = try await CertificateAuthority("authority", in: spooler)
        let (signed, other) = (try await authority.sign("server"), try await authority.sign("other"))
        let text = try spooler.file("note.txt", Array("no certificate\n".utf8))
        for (json5, words) in [
            ("{ tls: 'yes' }", "invalid value 'yes' for tls: must be true, false, or {certificate: FILE, key: FILE}"),
            ("{ tls: { key: '/k' } }", "tls has no certificate"),
            ("{ tls: { certificate: '/c', keys: '/k' } }", "unknown setting 'keys'"),
            ("{ tls: { certificate: 7 } }", "has a value of the wrong type"),
            ("{ tls: { certificate: '/nowhere.pem' } }", "cannot read the file '/nowhere.pem' in tls.certificate"),
            ("{ tls: { certificate: '\(text)' } }", "'\(text)' contains no PEM certificate"),
            (
                "{ tls: { certificate: '\(signed.certificate)', key: '\(text)' } }",
                "'\(text)' contains no unencrypted PEM private key"
            ),
            (
                "{ tls: { certificate: '\(signed.certificate)', key: '\(other.key)' } }",
                "does not match the certificate"
            ),
        ] {
            try settings(json5)
            let run = try await spooler.run(
                spooler.program("printd"), ["--spool", spooler.spool, "--listen", "127.0.0.1:0"])
            #expect(run.code == 78 && run.output.contains("\"ready\":false"), "\(json5): \(run)")
            #expect(run.complaints.contains("printd.json5") && run.complaints.contains(words), "\(json5): \(run)")
        }
    }

    @Test
    func `if the certificate cannot be written, printd runs without TLS, and 'printq doctor' reports the reason`()
        async throws
    {
        try settings("{}")
        // A file instead of the folder prevents even root from creating the certificate.
        try "".write(toFile: "\(spooler.spool)/tls", atomically: true, encoding: .utf8)
        let host = try spooler.start(tcp: true).host
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.run("lp", ["-h", host, "-d", "color-laser", path]))
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.lines.contains { $0.hasPrefix("warning: clients cannot connect with TLS (ipps:)") }, "\(doctor)")
    }
}
