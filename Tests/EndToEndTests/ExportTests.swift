import Foundation
import Glibc
import PrintTestSupport
import Testing

/// Tests of `printq export` and `printq import`, from one spool to another.
@Suite(.timeLimit(.minutes(3)))
struct ExportTests {
    private let source: TestSpooler
    private let target: TestSpooler

    init() throws {
        source = try TestSpooler()
        target = try TestSpooler()
        try source.start()
        try target.start()
    }

    /// Makes a spool with printers, options, users and settings.
    private func configure(_ spooler: TestSpooler) async throws {
        try FileManager.default.createDirectory(
            atPath: spooler.folder.path("printed"), withIntermediateDirectories: true)
        for arguments in [
            [
                "add", "office", "ipp://printer.invalid/ipp/print", "--no-check", "--info", "Second floor", "--default",
                "--location", "Room 2", "--policy", "stop-printer", "--after-interruption", "continue", "-o",
                "sides=two-sided-long-edge", "-o", "print-quality=high",
            ],
            ["add", "pdfs", "folder:/srv/printed", "--no-check"],
            ["allow", "pdfs", "ann", "@staff"],
            ["pause", "office", "--message", "no toner: wait"],
            ["change", "mono-laser", "--info", "Changed"],
        ] {
            expect(try await spooler.run(spooler.program("printq"), ["printers"] + arguments))
        }
        expect(try await spooler.printq("quota", "set", "@staff", "--per", "month", "--pages", "90", "--sheets", "50"))
        expect(
            try await spooler.printq(
                "quota", "set", "everyone", "--per", "job", "--copies", "9", "--color", "08:00-17:00"))
        expect(try await spooler.printq("config", "set", "keepJobs", "50"))
        expect(try await spooler.printq("config", "set", "worker.memoryMiB", "700"))
    }

    /// Returns the properties of the printers that an export contains.
    private func printers(of spooler: TestSpooler) async throws -> [String] {
        let run = try await spooler.printq("printers", "--json")
        expect(run)
        let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]] ?? []
        let names = [
            "printer-name", "printer-info", "printer-type", "printer-is-accepting-jobs", "device-uri",
            "requesting-user-name-allowed", "requesting-user-name-denied",
        ]
        return list.map { printer in names.map { "\($0)=\(printer[$0] ?? "")" }.joined(separator: " ") }.sorted()
    }

    private func settings(of spooler: TestSpooler) async throws -> [String] {
        let run = try await spooler.printq("config", "show", "--json")
        expect(run)
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return (object?["settings"] as? [[String: Any]] ?? []).map { "\($0["key"] ?? "")=\($0["value"] ?? "")" }
    }

    @Test func `all exported data can be imported into another spool, and a second import changes nothing`()
        async throws
    {
        try await configure(source)
        let types = "\(source.spool)/types"
        try FileManager.default.createDirectory(atPath: types, withIntermediateDirectories: true)
        let definition = """
            // One type.
            {name: "Shipping label", identifier: "org.example.label", formats: ["application/x-label"],
              extensions: ["lbl"], program: ["/bin/cp", "{input}", "{output}"]}
            """
        try definition.write(toFile: "\(types)/labels.json5", atomically: true, encoding: .utf8)
        let file = source.folder.path("printers.json")
        let saved = try await source.printq("export", file)
        expect(saved)
        #expect(saved.output.contains(" printers, 2 settings and 1 document type file in '\(file)'"), "\(saved)")
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let again = try await source.printq("export", file)
        #expect(again.code == EX_IOERR && again.complaints.contains("use --force"), "\(again)")
        expect(try await source.printq("export", file, "--force"))
        let text = try await source.printq("export", "-")
        #expect(text.output == (try String(contentsOfFile: file, encoding: .utf8)))

        let trial = try await target.printq("import", "--dry-run", file)
        expect(trial)
        #expect(trial.lines.contains("would add printer office"), "\(trial)")
        #expect(try await printers(of: target) != (try await printers(of: source)))
        #expect(try await settings(of: target) != (try await settings(of: source)))
        let kept = try await target.printq("import", file)
        expect(kept)
        #expect(kept.lines.contains("added printer office"), "\(kept)")
        let line = "kept printer mono-laser, which differs from the file in info; --replace overwrites the kept values"
        #expect(kept.lines.contains(line), "\(kept)")
        let replaced = try await target.printq("import", "--replace", file)
        expect(replaced)
        #expect(replaced.lines.contains("changed printer mono-laser: info"), "\(replaced)")
        #expect(try await printers(of: target) == (try await printers(of: source)))
        #expect(try await settings(of: target) == (try await settings(of: source)))
        #expect(try await target.printq("types").output.contains("Shipping label"))
        for name in ["office", "pdfs"] {
            let shown = [
                try await source.printq("printers", "show", name), try await target.printq("printers", "show", name),
            ].map { $0.lines.filter { !$0.contains("URI") && !$0.contains("localhost") } }
            #expect(shown[0] == shown[1])
        }
        #expect(try await target.printq("export", "-").output == text.output)

        let second = try await target.printq("import", "--replace", "-", input: text.output)
        expect(second)
        #expect(second.lines.last == "nothing has changed", "\(second)")
        #expect(second.lines.dropLast().allSatisfy { $0.hasPrefix("unchanged ") }, "\(second)")
    }

    @Test func `'import --settings-only' imports no printers, and 'import --printers-only' imports no settings`()
        async throws
    {
        try await configure(source)
        let text = try await source.printq("export", "-").output
        let settings = try await target.printq("import", "--settings-only", "--json", "-", input: text)
        expect(settings)
        #expect(settings.output.contains("\"keepJobs\"") && !settings.output.contains("office"), "\(settings)")
        #expect(try await target.printq("config", "show", "keepJobs").output.contains("50"))
        let printers = try await target.printq("import", "--printers-only", "-", input: text)
        expect(printers)
        #expect(printers.lines.contains("added printer pdfs"), "\(printers)")
        #expect(!printers.output.contains("setting"), "\(printers)")
    }

    @Test func `if a file contains an error, 'printq import' imports nothing from the file`() async throws {
        let text = """
            {format: 'printq-export', 'format-version': 1, printers: [
              {name: 'good', 'device-uri': 'folder:/srv/printed'},
              {name: 'bad', 'device-uri': 'lpd://x/y', locaton: ''}]}
            """
        let run = try await target.printq("import", "-", input: text)
        expect(run, code: EX_CONFIG, says: "printq: nothing was imported: 2 problems")
        #expect(run.complaints.contains("standard input: line 3: unknown key 'printers[1].locaton'; did you mean"))
        #expect(try await target.printq("printers", "show", "good").code != 0)
        expect(try await target.printq("import", "/nowhere/file"), code: EX_NOINPUT)
    }

    @Test func `if an import fails partway, the output lists the completed and the omitted changes`() async throws {
        let text = """
            {format: 'printq-export', 'format-version': 1, printers: [
              {name: 'a', 'device-uri': 'printsim:color-laser'},
              {name: 'b', 'device-uri': 'ipp://localhost:9/ipp/print'},
              {name: 'c', 'device-uri': 'printsim:color-laser'}]}
            """
        let run = try await target.printq("import", "--check", "-", input: text)
        #expect(run.code != 0)
        #expect(
            run.lines == ["added printer a", "failed to add printer b", "did not add printer c"], "\(run)")
        #expect(run.complaints.hasPrefix("printq: cannot add printer b: "), "\(run)")
        #expect(run.complaints.hasSuffix("; 1 of 3 changes were made\n"), "\(run)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
    func `only administrators can import printers and settings`() async throws {
        let text = """
            {format: 'printq-export', 'format-version': 1, printers: [{name: 'a', 'device-uri': 'folder:/srv/a'}],
              settings: {keepJobs: 50}}
            """
        let file = try target.file("printers.json", Array(text.utf8))
        for path in [target.folder.path, file] { chmod(path, 0o755) }
        chmod(target.spool, 0o711)
        let program = target.folder.path("printq")
        try FileManager.default.copyItem(atPath: target.program("printq"), toPath: program)
        let printers = try await target.runAsStranger(program, "import", "--printers-only", file)
        #expect(printers.code == EX_NOPERM, "\(printers)")
        #expect(printers.output == "failed to add printer a\n", "\(printers)")
        let settings = try await target.runAsStranger(program, "import", "--settings-only", file)
        #expect(settings.code == EX_NOPERM, "\(settings)")
        #expect(try await target.printq("printers", "show", "a").code != 0)
    }
}
