import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintWork
@testable import ProcessPools

/// Tests of Ghostscript processes that are started in advance, with the real Ghostscript.
struct GhostscriptStandbyTests {
    private let place = ConverterPlace()
    private var starts: String { "\(place.folder)/starts" }

    /// Creates a converter whose launcher counts its starts, and executes shell commands first.
    private func programs(
        _ limits: WorkerLimits = WorkerLimits(), idleSeconds: Int = 300,
        requiresLandlock: Bool = true, launcher commands: String = ""
    ) throws -> ConverterPrograms {
        let launcher = "\(place.folder)/launcher"
        let lines = """
            #!/bin/sh
            echo start >> '\(starts)'
            \(commands)
            exec '\(BuiltPrograms.folder)print-launcher' "$@"

            """
        try lines.write(toFile: launcher, atomically: false, encoding: .utf8)
        chmod(launcher, 0o755)
        mkdir(place.scratch, 0o755)
        return ConverterPrograms(
            executable: launcher, limits: limits, idleSeconds: idleSeconds, requiresLandlock: requiresLandlock,
            scratch: place.scratch)
    }

    private var startCount: Int { text(of: starts).split(separator: "\n").count }

    /// Converts a document that a new process converts, and returns the Ghostscript that waits afterwards.
    private func warmUp(_ programs: ConverterPrograms) async throws -> pid_t {
        _ = try await programs.convert(place.postScript(Self.page("first")))
        return try await waiting()
    }

    /// Waits until one Ghostscript waits for its document, and returns its process ID.
    private func waiting() async throws -> pid_t {
        var processes: [pid_t] = []
        try await eventually("a Ghostscript waits") {
            processes = place.waitingProcesses.filter(place.hasOpenOutput)
            return processes.count == 1
        }
        return try #require(processes.first)
    }

    /// PostScript with a page that shows a text.
    private static func page(_ text: String) -> String {
        "%!PS\n/Helvetica findfont 20 scalefont setfont 72 700 moveto (\(text)) show showpage\n"
    }

    /// Runs PostScript in a process that was started in advance, and returns the text of the PDF.
    private func printed(_ lines: String) async throws -> String {
        let programs = try programs()
        return try await programs.running {
            let process = try await warmUp(programs)
            let count = startCount
            _ = try await programs.convert(
                place.postScript(
                    "%!PS\n/Helvetica findfont 20 scalefont setfont 72 700 moveto\n\(lines)\nshowpage\n"))
            try await eventually("the next Ghostscript has started") { startCount == count + 1 }
            #expect(!Processes.isAlive(process))
            return try await place.text(of: "pdftotext")
        }
    }

    // MARK: - Use and replacement

    @Test
    func `a waiting Ghostscript process converts the next document, and a new process replaces the waiting process`()
        async throws
    {
        let programs = try programs()
        try await programs.running {
            #expect(place.waitingProcesses.isEmpty, "no Ghostscript waits before the first document")
            var process = try await warmUp(programs)
            #expect(startCount == 2)
            for number in 1...3 {
                _ = try await programs.convert(place.postScript(Self.page("page \(number)")))
                #expect(try await place.text(of: "pdftotext").contains("page \(number)"))
                #expect(!Processes.isAlive(process), "each document has a separate process")
                #expect(place.leftovers == ["converted.pdf"])
                process = try await waiting()
                // No further process converted the document.
                #expect(startCount == 2 + number)
            }
        }
        #expect(place.waitingProcesses.isEmpty)
        #expect(place.scratchFolders == [])
    }

    @Test func `a waiting Ghostscript process and a new process produce the same PDF`() async throws {
        let text = """
            %!PS
            /Times-Roman findfont 30 scalefont setfont 72 500 moveto (Text) show
            10 10 moveto 500 500 lineto stroke clippath pathbbox 4 { 20 string cvs show } repeat showpage
            <</PageSize [400 600]>> setpagedevice 10 10 moveto 500 500 lineto stroke showpage

            """
        let programs = try programs()
        try await programs.running {
            _ = try await programs.convert(place.postScript(text))
            let new = place.output
            _ = try await waiting()
            _ = try await programs.convert(place.postScript(text))
            _ = try await waiting()
            #expect(startCount == 3)
            // The command line, the date and the IDs differ.
            #expect(Self.comparable(place.output) == Self.comparable(new))
        }
    }

    /// Returns the streams and objects of a PDF, without the lines that differ in each conversion.
    private static func comparable(_ pdf: [UInt8]) -> [String] {
        String(decoding: pdf, as: UTF8.self).split(separator: "\n").map(String.init).prefix { $0 != "xref" }.filter {
            line in
            !["Invocation", "uuid", "Date"].contains { line.contains($0) }
        }.map { $0.hasPrefix("<</Type/Metadata") ? "" : $0 }
    }

    @Test func `the PDF has the page size of the document, even for a new page size or an EPS file`() async throws {
        let programs = try programs()
        try await programs.running {
            _ = try await warmUp(programs)
            let size = Size(width: 500, height: 300)
            _ = try await programs.convert(place.postScript(Self.page("other"), pageSize: size))
            #expect(try await place.text(of: "pdfinfo").contains("300 x 500 pts"))
            try await eventually("a Ghostscript waits for each page size") { place.waitingProcesses.count == 2 }
            _ = try await programs.convert(place.postScript(Self.page("other"), pageSize: size))
            #expect(try await place.text(of: "pdfinfo").contains("300 x 500 pts"))
            _ = try await programs.convert(place.postScript(Self.page("usual")))
            #expect(try await place.text(of: "pdfinfo").contains("595 x 842 pts"))
            try await eventually("a Ghostscript waits for each page size") { place.waitingProcesses.count == 2 }
            let count = startCount
            _ = try await programs.convert(
                place.postScript("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 50 650 200 750\n60 660 10 10 rectfill\n"))
            #expect(try await place.text(of: "pdfinfo").contains("150 x 100 pts"))
            #expect(startCount == count + 1, "an EPS file is converted by a new process")
            // A third page size replaces the oldest page size.
            _ = try await programs.convert(
                place.postScript(Self.page("third"), pageSize: Size(width: 100, height: 200)))
            try await eventually("a Ghostscript waits for the third page size instead of the second one") {
                place.waitingProcesses(pageWidth: 100).count == 1 && place.waitingProcesses(pageWidth: 300).isEmpty
            }
            #expect(place.waitingProcesses(pageWidth: 595).count == 1)
        }
        #expect(place.waitingProcesses.isEmpty)
    }

    @Test func `if a waiting Ghostscript process is killed, no job fails, and the process is replaced`() async throws {
        let programs = try programs()
        try await programs.running {
            for _ in 1...3 {
                let process = try await warmUp(programs)
                kill(process, SIGKILL)
                _ = try await programs.convert(place.postScript(Self.page("after")))
                #expect(try await place.text(of: "pdftotext").contains("after"))
            }
            _ = try await waiting()
        }
    }

    @Test(arguments: ["kill -9 $$", "exit 0", "exit 3"])
    func `a job does not fail if a waiting process ends before it opens the document`(end: String) async throws {
        // The waiting process accepts the document, and ends.
        let programs = try programs(
            launcher: """
                case "$*" in *--place=*)
                    echo '{"locked":{"systemCalls":true,"landlockVersion":1}}'
                    exec >&2
                    read -r line
                    echo "$line" >> '\(place.folder)/lines'
                    \(end);;
                esac
                """)
        let lines = "\(place.folder)/lines"
        try await programs.running {
            _ = try await programs.convert(place.postScript(Self.page("first")))
            try await eventually("a process waits") { startCount == 2 }
            _ = try await programs.convert(place.postScript(Self.page("second")))
            #expect(try await place.text(of: "pdftotext").contains("second"))
            #expect(text(of: lines) == "start\n")
        }
        #expect(place.scratchFolders == [])
    }

    @Test func `waiting Ghostscript processes end after the idle time, or when the pool ends`() async throws {
        let programs = try programs(idleSeconds: 1)
        try await programs.running {
            _ = try await programs.convert(place.postScript(Self.page("first")))
            try await eventually("a process has started") { startCount == 2 }
            try await eventually("the process has ended") { place.waitingProcesses.isEmpty && place.places == [] }
            _ = try await programs.convert(place.postScript(Self.page("second")))
            try await eventually("a process has started") { startCount == 4 }
        }
        #expect(place.waitingProcesses.isEmpty)
        #expect(place.scratchFolders == [])
    }

    @Test
    func `a converter of all document types starts a Ghostscript process in advance, and ends the process at shutdown`()
        async throws
    {
        let programs = try programs()
        let pool = ConvertingWorkerPool(
            pool: WorkerPool(executable: BuiltPrograms.folder + "print-worker", isWarm: false),
            engines: [
                .program: ConvertingWorkerPool.Engine { (request) async throws(WorkError) in
                    try await programs.convert(request)
                }
            ], programs: programs)
        let request = PrepareRequest(
            documents: [try place.document(Array(Self.page("job").utf8))],
            imposition: Imposition(paper: PrintPaper(media: .a4)), output: "\(place.outputs)/prepared.pdf")
        async let life: Void = pool.run()
        _ = try await pool.prepare(request) { _ in }
        let process = try await waiting()
        pool.shutdown()
        await life
        #expect(!Processes.isAlive(process))
        #expect(place.scratchFolders == [])
    }

    @Test func `after the shutdown of the converters, every document is refused`() async throws {
        let programs = try programs()
        programs.shutdown()
        let documents = [
            try place.postScript(Self.page("small")),
            try place.postScript("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 50 650 200 750\n60 660 10 10 rectfill\n"),
            try place.python("pdf()"),
        ]
        for document in documents {
            let error = await #expect(throws: WorkError.self) { try await programs.convert(document) }
            #expect(error?.code == .workerUnavailable)
            #expect(error?.message == "no more documents are accepted: the program is shutting down")
        }
    }

    // MARK: - Limits

    @Test func `the time limit starts with the conversion, not with the start of the waiting process`() async throws {
        let programs = try programs(WorkerLimits(wallSeconds: 3))
        try await programs.running {
            let process = try await warmUp(programs)
            // Two documents that a new process converts, until the time limit. Meanwhile, the Ghostscript waits longer
            // than the time limit and the timer of the launcher.
            let slow = try place.python("time.sleep(1000)")
            for _ in 1...2 {
                let error = await #expect(throws: WorkError.self) { try await programs.convert(slow) }
                #expect(error?.code == .timeExceeded)
            }
            #expect(Processes.isAlive(process))
            let count = startCount
            _ = try await programs.convert(place.postScript(Self.page("late")))
            #expect(try await place.text(of: "pdftotext").contains("late"))
            #expect(!Processes.isAlive(process))
            _ = try await waiting()
            #expect(startCount == count + 1)
            let error = await #expect(throws: WorkError.self) {
                try await programs.convert(place.postScript("%!PS\n{} loop\n"))
            }
            #expect(error?.code == .timeExceeded)
            #expect(error?.message.hasPrefix("Ghostscript took more than 3 s") == true, "\(error?.message ?? "")")
        }
        #expect(place.waitingProcesses.isEmpty)
    }

    @Test(arguments: [
        (WorkError.Code.processorTimeExceeded, "{} loop", WorkerLimits(processorSeconds: 1)),
        (.memoryExceeded, "[ { 60000 string } loop", WorkerLimits(memoryBytes: 256 << 20)),
        (
            .outputTooLarge,
            "{ (x) (w) .tempfile exch pop 1 1 200 { pop dup 10000 string writestring } for closefile } loop",
            WorkerLimits(outputBytes: 8 << 20)
        ),
        (.outputTooLarge, "{ (endless ) print } loop", WorkerLimits()),
        (.damaged, "nonsense", WorkerLimits()),
        (.noPages, "", WorkerLimits()),
    ])
    func `the usual limits and errors apply to a document in a process that was started in advance`(
        code: WorkError.Code, document: String, limits: WorkerLimits
    ) async throws {
        let programs = try programs(limits)
        try await programs.running {
            _ = try await warmUp(programs)
            unlink("\(place.outputs)/converted.pdf")
            let count = startCount
            let error = await #expect(throws: WorkError.self) {
                try await programs.convert(place.postScript("%!PS\n\(document)\n"))
            }
            #expect(error?.code == code, "\(error?.message ?? "") \(error?.detail ?? "")")
            #expect(error?.detail?.contains(ConverterProgram.startLine) != true)
            #expect(place.leftovers == [])
            _ = try await waiting()
            #expect(startCount == count + 1, "the document was not converted a second time")
        }
        #expect(place.scratchFolders == [])
    }

    @Test func `changed worker limits apply to the next PostScript document`() async throws {
        let programs = try programs()
        try await programs.running {
            let process = try await warmUp(programs)
            programs.setLimits(WorkerLimits(processorSeconds: 1))
            try await eventually("the old process has ended") { !Processes.isAlive(process) }
            _ = try await warmUp(programs)
            let error = await #expect(throws: WorkError.self) {
                try await programs.convert(place.postScript("%!PS\n{} loop\n"))
            }
            #expect(error?.code == .processorTimeExceeded)
        }
    }

    @Test func `if a conversion is canceled, the process that was started in advance ends`() async throws {
        let programs = try programs()
        try await programs.running {
            let process = try await warmUp(programs)
            let request = try place.postScript("%!PS\n(x) (w) .tempfile exch pop pop\n{} loop\n")
            let conversion = Task { try await programs.convert(request) }
            try await eventually("the document has created its file") {
                place.places.contains { folder in
                    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/work")) ?? [])
                        .contains { $0.hasPrefix("x") }
                }
            }
            conversion.cancel()
            let error = await #expect(throws: WorkError.self) { try await conversion.value }
            #expect(error?.code == .canceled)
            #expect(!Processes.isAlive(process))
        }
        #expect(place.scratchFolders == [])
    }

    // MARK: - The sandbox

    @Test func `a PostScript program in a waiting Ghostscript process cannot read files outside of its private folder`()
        async throws
    {
        let secret = try place.secret()
        let neighbor = "\(place.scratch)/neighbor.txt"
        mkdir(place.scratch, 0o755)
        try "canary".write(toFile: neighbor, atomically: false, encoding: .utf8)
        chmod(neighbor, 0o644)
        let files = [
            secret, neighbor, "../../../secret.txt", "../../../neighbor.txt", "../in/../../lock", "/etc/passwd",
            "/proc/self/cwd/../../../secret.txt", "%pipe%id", "%pipe%/bin/cat /etc/hostname",
        ]
        let text = try await printed(
            files.map { file in
                "{ (\(file)) (r) file 100 string readstring pop show } stopped { (no ) show } if"
            }.joined(separator: "\n"))
        #expect(text.components(separatedBy: "no").count == files.count + 1, "\(text)")
        #expect(!text.contains("canary") && !text.contains("root:"))
    }

    @Test func `a PostScript program cannot read the standard input over which the process receives its task`()
        async throws
    {
        let text = try await printed(
            "{ (%stdin) (r) file read {pop (more)} {(nothing)} ifelse } stopped {(closed)} if show")
        #expect(text.contains("nothing") || text.contains("closed"), "\(text)")
    }

    @Test func `a PostScript program cannot write outside of its private folder`() async throws {
        let secret = try place.secret()
        let text = try await printed(
            """
            { (\(place.folder)/new.txt) (w) file dup (x) writestring closefile } stopped { (w) show } if
            { (../in/document.ps) (w) file dup (x) writestring closefile } stopped { (d) show } if
            { (../in/new.ps) (w) file dup (x) writestring closefile } stopped { (n) show } if
            { (\(secret)) deletefile } stopped { (r) show } if
            """)
        #expect(text.contains("wdnr"), "\(text)")
        #expect(FileManager.default.contents(atPath: secret) == Data("canary".utf8))
    }

    @Test func `without Landlock, no Ghostscript process waits, and new processes convert the documents`() async throws
    {
        let programs = try programs(
            requiresLandlock: false,
            launcher: "exec '\(BuiltPrograms.folder)without-landlock' '\(BuiltPrograms.folder)print-launcher' \"$@\"")
        try await programs.running {
            for number in 1...2 {
                _ = try await programs.convert(place.postScript(Self.page("page \(number)")))
                #expect(try await place.text(of: "pdftotext").contains("page \(number)"))
                // The pool can replace an ended launcher before the next document.
                try await eventually("the launcher has tried to start a Ghostscript in advance: \(startCount)") {
                    startCount >= 2 * number
                }
                try await eventually("the launcher has ended") { place.places == [] }
                #expect(place.waitingProcesses.isEmpty)
            }
        }
        #expect(place.scratchFolders == [])
    }

    @Test func `a waiting Ghostscript process is in the sandbox, and has no descriptors except its standard streams`()
        async throws
    {
        let programs = try programs()
        try await programs.running {
            let process = try await warmUp(programs)
            let status = text(of: "/proc/\(process)/status").split(separator: "\n").map { line in
                line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            for line in ["Seccomp: 2", "NoNewPrivs: 1", "CapEff: 0000000000000000"] { #expect(status.contains(line)) }
            #expect(!status.contains("Uid: 0 0 0 0"))
            let folder = "/proc/\(process)/fd"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let targets = names.reduce(into: [String: String]()) { targets, name in
                targets[name] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            }
            let others = targets.values.filter { target in
                !target.hasPrefix("/usr/") && !target.hasPrefix(place.scratch)
                    && !target.hasPrefix("/var/lib/ghostscript/")
            }
            #expect(others.count == 3, "\(others)")
            #expect(targets["0"]?.hasPrefix("socket:") == true)
            for stream in ["1", "2"] { #expect(targets[stream]?.hasPrefix("pipe:") == true) }
        }
    }
}

extension ConverterPrograms: RunnablePool {}

extension ConverterPlace {
    /// The parent of the private folders of waiting processes.
    fileprivate var scratch: String { "\(folder)/scratch" }

    /// The scratch folders of pools.
    fileprivate var scratchFolders: [String] { (try? FileManager.default.contentsOfDirectory(atPath: scratch)) ?? [] }

    /// The private folders of processes.
    fileprivate var places: [String] {
        scratchFolders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(scratch)/\(folder)")) ?? [])
                .filter { $0 != "lock" }.map { "\(scratch)/\(folder)/\($0)" }
        }
    }

    /// The Ghostscript processes that were started in advance.
    fileprivate var waitingProcesses: Set<pid_t> {
        Processes.children(running: ConverterProgram.ghostscriptPath, in: scratch)
    }

    /// Returns whether a process has the PDF open, which Ghostscript opens immediately before it waits.
    fileprivate func hasOpenOutput(_ process: pid_t) -> Bool {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target?.hasSuffix("/work/output.pdf") == true
        }
    }

    /// The Ghostscript processes that were started in advance for a page size.
    fileprivate func waitingProcesses(pageWidth width: Int) -> Set<pid_t> {
        Processes.children(running: "-dDEVICEWIDTHPOINTS=\(width)", in: scratch)
    }
}
