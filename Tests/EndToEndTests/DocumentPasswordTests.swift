import Foundation
import PrintTestSupport
import Testing

/// Tests of passwords of encrypted documents, with the real programs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DocumentPasswordTests {
    private static let password = "sésame-\(UUID().uuidString)"

    /// Returns the path of a document with the given number of pages that opens only with the password.
    private func encrypted(_ name: String, pages: Int = 2, in spooler: TestSpooler) async throws -> String {
        let (open, path) = (try spooler.file("open-\(name)", .numbered(pages: pages)), spooler.folder.path(name))
        let arguments = spooler.folder.path("arguments")
        // The password must not be in the arguments of any process, not even here.
        try "--encrypt\n\(Self.password)\nowner-\(Self.password)\n256\n--\n".write(
            toFile: arguments, atomically: true, encoding: .utf8)
        let run = try await spooler.run("qpdf", [open, "@\(arguments)", path])
        try #require(run.code == 0, "\(run)")
        try FileManager.default.removeItem(atPath: arguments)
        return path
    }

    /// Returns the files below a folder, and the arguments and the environments of processes, that contain the password.
    private func findings(below folder: String) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
            .flatMap { ["/proc/\($0)/cmdline", "/proc/\($0)/environ"] }
        return (names.map { "\(folder)/\($0)" } + processes).filter { path in
            let data = try? Data(contentsOf: URL(fileURLWithPath: path))
            return data?.range(of: Data(Self.password.utf8)) != nil
        }
    }

    /// Returns the page images of a printed job.
    private func pages(_ job: QueuedJob) throws -> [Data] {
        let folder = try #require(job.folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".png") }.sorted()
            .map { try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")) }
    }

    @Test func `an encrypted PDF is printed with its password after a restart, and then the password is nowhere`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try await encrypted("secret.pdf", pages: 2, in: spooler)
        expect(try await spooler.printq("submit", "--hold", "--password", path, input: Self.password + "\n"))
        let kept = try findings(below: spooler.folder.path)
        #expect(kept.allSatisfy { $0.hasPrefix("\(spooler.spool)/spool.sqlite") } && !kept.isEmpty, "\(kept)")
        for command in [
            ["show", "1"], ["show", "1", "--json"], ["queue", "--json"], ["why", "1"], ["log", "--daemon"],
        ] {
            let run = try await spooler.run(spooler.program("printq"), command)
            #expect(!"\(run)".contains(Self.password), "\(command)")
        }
        let backup = spooler.folder.path("backup.tar")
        expect(try await spooler.printq("backup", backup))
        spooler.stop(SIGKILL)
        try spooler.start()
        expect(try await spooler.printq("release", "1"))
        expect(try await spooler.printq("watch", "1"))
        let job = try await spooler.job(1)
        #expect(job.state == "completed")
        expect(try await spooler.printq("submit", "--wait", spooler.folder.path("open-secret.pdf")))
        let (pages, expected) = (try pages(job), try pages(try await spooler.job(2)))
        #expect(pages.count == 2 && pages == expected)
        #expect(try findings(below: spooler.folder.path) == [])

        let shown = try await spooler.printq("show", "1").output
        #expect(shown.contains("printq reprint 1 --password\n"), "\(shown)")
        let refused = try await spooler.printq("reprint", "1")
        expect(
            refused, code: 65,
            says: "printq: the password of the document was deleted when job 1 ended; enter the password again: "
                + "'printq reprint 1 --password'")
        let again = try await spooler.printq(
            "reprint", "1", "--wait", "--password-file", "-", input: Self.password + "\n")
        expect(again)
        #expect(try findings(below: spooler.folder.path) == [])
    }

    @Test func `a wrong password aborts the job with a reason, and several documents can share a password`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try await encrypted("secret.pdf", in: spooler)
        let file = try spooler.file("password", Array("wrong".utf8))
        let run = try await spooler.printq("submit", "--wait", "--password-file", file, path)
        expect(
            run, code: 65,
            says: "printq: job 1 was aborted: incorrect password for secret.pdf; enter the password with which the "
                + "document was encrypted; see 'printq show 1'")
        let both = try await spooler.printq(
            "submit", "--wait", "--password", path, path, input: Self.password + "\n")
        expect(both)
        let preview = try await spooler.printq("preview", "--json", "--password", path, input: Self.password + "\n")
        #expect(preview.code == 0 && preview.output.contains("secret.pdf"), "\(preview)")
        let taken = try await spooler.printq("submit", "--password-file", "-", "-", input: "x")
        expect(
            taken, code: 64,
            says: "printq: standard input is a document; give the password with '--password-file FILE'")
        #expect(try findings(below: spooler.spool) == [])
    }

    @Test func `a host prints the encrypted document of a host that was killed`() async throws {
        let server = try PrivatePostgres()
        let database = try server.makeDatabase()
        let uri = "postgresql:///\(database)?host=\(server.socketFolder)&port=\(server.port)&user=postgres"
        let printer = try NetworkPrinter("--speed", "instant")
        let (first, second) = (try TestSpooler(), try TestSpooler())
        try first.start("--store", uri, "--host-name", "first")
        try second.start("--store", uri, "--host-name", "second")
        expect(try await first.printq("printers", "add", "one", printer.uri))
        let path = try await encrypted("secret.pdf", in: first)
        let submitted = try await first.printq(
            "submit", "-d", "one", "--hold", "--password", path, input: Self.password + "\n")
        expect(submitted)
        #expect(try server.query("SELECT count(*) FROM document_passwords", database: database) == "1")
        first.stop(SIGKILL)
        expect(try await second.printq("release", "1"))
        expect(try await second.printq("watch", "1"))
        #expect(try server.query("SELECT count(*) FROM document_passwords", database: database) == "0")
        #expect(try printer.log.count == 1)
        #expect(try findings(below: second.spool) == [])
    }
}
