import Foundation
import PrintTestSupport
import Testing

/// Tests of types that an administrator registered in the spool, with the real programs.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct RegisteredTypeJobTests {
    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    /// Registers the type `own`, whose documents a Python script converts.
    private func register(_ script: String) throws {
        // The user of the workers must reach the script.
        chmod(spooler.folder.path, 0o755)
        let program = spooler.folder.path("own-converter")
        try "#!/usr/bin/python3 -I\nimport sys, time\nsource, target = sys.argv[1:3]\n\(script)\n".write(
            toFile: program, atomically: false, encoding: .utf8)
        chmod(program, 0o755)
        try FileManager.default.createDirectory(atPath: "\(spooler.spool)/types", withIntermediateDirectories: true)
        for folder in [spooler.spool, "\(spooler.spool)/types"] { chmod(folder, 0o700) }
        let file = "\(spooler.spool)/types/own.json5"
        try """
        {
          name: "Own document", identifier: "org.example.own", formats: ["application/x-own"], extensions: ["own"],
          program: ["\(program)", "{input}", "{output}"],
        }
        """.write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, 0o600)
    }

    /// A script that decodes the PDF in the second line of the document.
    private static let copies = """
        with open(source) as file: text = file.read()
        with open(target, 'wb') as file: file.write(bytes.fromhex(text.splitlines()[1]))
        """

    /// Writes a document with a PDF of two pages in hexadecimal digits.
    private func document() throws -> String {
        let digits = PDFBuilder.numbered(pages: 2).bytes.map { String(format: "%02x", $0) }.joined()
        return try spooler.file("letter.own", Array("own document\n\(digits)\n".utf8))
    }

    @Test func `'preview' and 'submit' accept documents of types that are registered in the spool`() async throws {
        try register(Self.copies)
        let path = try document()
        let preview = try await spooler.printq("preview", path)
        expect(preview)
        #expect(preview.lines.count == 2 && preview.lines[1].contains("Own document"), "\(preview)")
        #expect(preview.lines.last?.split(separator: " ").contains("2") == true, "\(preview)")
        try spooler.start()
        let run = try await spooler.printq("submit", "--wait", path)
        expect(run)
    }

    @Test
    func `'preview' ignores a registered document type if another user can change the file that defines the type`()
        async throws
    {
        try register(Self.copies)
        chmod("\(spooler.spool)/types/own.json5", 0o666)
        let preview = try await spooler.printq("preview", try document())
        expect(preview)
        #expect(preview.lines.last?.contains("Plain text") == true, "\(preview)")
        #expect(preview.complaints.contains("own.json5"), "\(preview)")
    }

    @Test func `a converter program ends when printd is killed, even if the program ignores all signals`() async throws
    {
        try register(
            """
            import signal
            for number in range(1, 65):
                try: signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError): pass
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            open('ignores', 'w').close()
            time.sleep(1000)
            """)
        try spooler.start()
        let id = try await spooler.submit(try document())
        let folder = "\(spooler.spool)/jobs/\(id)"
        try await eventually("the program ignores signals") {
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).contains { $0.hasSuffix("/ignores") }
        }
        func programs() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter {
                Int($0) != nil && text(of: "/proc/\($0)/cmdline").contains("/own-converter\0")
                    && text(of: "/proc/\($0)/cmdline").contains(spooler.folder.path)
            }
        }
        #expect(!programs().isEmpty)
        spooler.stop(SIGKILL)
        try await eventually("the program has ended") { programs().isEmpty }
    }
}
