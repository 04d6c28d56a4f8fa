import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessPools
import Testing

/// Tests of the processes for Office documents: their number, their lifetime and their limits.
@Suite(.enabled(if: OfficeInstallation.find() != nil, "LibreOffice is not installed"))
struct OfficePoolTests {
    private let place: OfficeWorkplace
    private static let real = BuiltPrograms.folder + "print-office"

    init() throws { place = try OfficeWorkplace() }

    /// Writes a program in place of print-office; the name keeps its processes apart from the processes of other tests.
    private func program(_ lines: String) throws -> String {
        let path = try place.file("office.sh", "#!/bin/sh\n\(lines)\n".utf8)
        chmod(path, 0o755)
        return path
    }

    /// A program that hangs at documents with the name `hang…`, and converts all other documents.
    private func programThatHangs() throws -> String {
        try program(
            """
            read -r request || exit 0
            case "$request" in *'"hang'*)
                echo '{"locked":{"systemCalls":true,"landlockVersion":1}}'
                echo 'thinking' >&2
                sleep 1000;;
            esac
            (printf '%s\\n' "$request"; exec sleep 1000) | '\(Self.real)' "$@"
            """)
    }

    @Test func `several Office documents are converted while one Office document hangs`() async throws {
        let pool = place.pool(
            executable: try programThatHangs(), limits: WorkerLimits(memoryBytes: 2 << 30, wallSeconds: 30), standby: 2)
        let path = try await OfficeFixtures.shared.document("docx")
        try await pool.running {
            let hanging = try place.request(path, name: "hang.docx")
            let stuck = Task { try await pool.convert(hanging) }
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 1...6 {
                    let request = try place.request(path)
                    group.addTask {
                        _ = try await pool.convert(request)
                        return try await OfficeWorkplace.text(of: request.output)
                    }
                }
                for try await text in group { #expect(text.contains("Zebra crossing")) }
            }
            let error = await #expect(throws: WorkError.self) { try await stuck.value }
            #expect(error?.code == .timeExceeded)
            #expect(error?.message.contains("converting the document with LibreOffice took more than 30 s") == true)
            #expect(error?.detail?.contains("thinking") == true)
            #expect(!FileManager.default.fileExists(atPath: hanging.output))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.scratch) == [])
    }

    @Test func `if twenty Office documents are submitted at the same time, all documents are converted`() async throws {
        let pool = place.pool(standby: 2)
        let paths = try await [
            OfficeFixtures.shared.document("docx"), OfficeFixtures.shared.document("xlsx"),
            OfficeFixtures.shared.document("pptx"),
        ]
        try await pool.running {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<20 {
                    let request = try place.request(paths[index % 3])
                    group.addTask { try await pool.convert(request).pageCount }
                }
                for try await count in group { #expect(count == 1) }
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.scratch) == [])
    }

    @Test func `no Office conversion process runs before the first document, and idle processes end`() async throws {
        let program = try program("echo started >> '\(place.folder.path("starts"))'; read -r request; exit 0")
        let pool = place.pool(executable: program, standby: 2, idleSeconds: 1)
        let list = place.folder.path("starts")
        @Sendable func starts() -> Int { text(of: list).split(separator: "\n").count }
        try await pool.running {
            #expect(Processes.children(running: program).isEmpty)
            pool.warmUp()
            try await eventually("two processes wait") { starts() == 2 }
            try await eventually("both have ended") { Processes.children(running: program).isEmpty }
            try await eventually("their folders are removed") { place.remains() == [] }
            pool.warmUp()
            try await eventually("two more have started") { starts() == 4 }
        }
        #expect(starts() == 4)
    }

    @Test func `LibreOffice does not test its drawing functions when it starts`() async throws {
        // LibreOffice writes the results of these tests into its profile.
        let log = place.folder.path("files")
        let program = try program(
            """
            '\(Self.real)' "$@" | while read -r line; do
                find '\(place.scratch)' >> '\(log)'
                printf '%s\\n' "$line"
            done
            """)
        let pool = place.pool(executable: program)
        let request = try place.request(try await OfficeFixtures.shared.document("odt"))
        try await pool.running { _ = try await pool.convert(request) }
        #expect(text(of: log).contains("/profile/user/registrymodifications.xcu\n"))
        #expect(!text(of: log).contains("GraphicsRenderTests"), "\(text(of: log))")
    }

    @Test func `an Office document is converted by a process that was started in advance`() async throws {
        let pool = place.pool(standby: 1)
        let request = try place.request(try await OfficeFixtures.shared.document("odt"))
        try await pool.running {
            pool.warmUp()
            try await eventually("a process waits") {
                Processes.children(running: Self.real, in: place.scratch).count == 1
            }
            let waiting = Processes.children(running: Self.real, in: place.scratch)
            _ = try await pool.convert(request)
            #expect(waiting.isDisjoint(with: Processes.children(running: Self.real, in: place.scratch)))
        }
        #expect(Processes.children(running: Self.real, in: place.scratch).isEmpty)
    }

    @Test
    func `if an Office conversion is canceled, the process group is killed, and the conversion's folder is removed`()
        async throws
    {
        let list = place.folder.path("pids")
        let program = try program(
            """
            read -r request
            (trap '' TERM; while :; do sleep 100; done) &
            echo $! $$ > '\(list)'
            while :; do sleep 100; done
            """)
        let pool = place.pool(executable: program)
        let request = try place.request(try place.file("a.docx", Array("PK\u{3}\u{4}".utf8)))
        let task = Task { try await pool.convert(request) }
        var processes: [pid_t] = []
        try await eventually("both run") {
            processes = text(of: list).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
            return processes.count == 2
        }
        task.cancel()
        let error = await #expect(throws: WorkError.self) { try await task.value }
        #expect(error?.code == .canceled)
        try await eventually("both are gone") { !processes.contains(where: Processes.isAlive) }
        #expect(place.remains() == [])
    }

    /// Answers as print-office does, after commands that make a PDF or something else in `work`.
    private func failure(writing commands: String, limits: WorkerLimits = OfficePool.usualLimits) async throws
        -> WorkError?
    {
        let program = try program(
            """
            read -r request
            for argument; do case "$argument" in --place=*) cd "${argument#--place=}/work";; esac; done
            \(commands)
            echo '{"locked":{"systemCalls":true,"landlockVersion":1}}'
            echo '{"converted":{"pageCount":1,"hasSize":true,"notices":[]}}'
            """)
        let request = try place.request(try place.file("a.docx", Array("PK\u{3}\u{4}".utf8)))
        let pool = place.pool(executable: program, limits: limits)
        let error = await #expect(throws: WorkError.self) { try await pool.convert(request) }
        let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        #expect(files.filter { $0.hasPrefix("a.docx.") } == [], "no PDF and no part of it")
        #expect(place.remains() == [])
        return error
    }

    @Test(arguments: [
        "true", "echo hello > document.pdf", "ln -s /etc/hostname document.pdf", "mkfifo document.pdf",
        "mkdir document.pdf", "echo %PDF-1.7 > a; ln a document.pdf",
    ])
    func `a compromised Office process can deliver only a regular PDF file that has no other hard links`(
        commands: String
    )
        async throws
    {
        #expect(try await failure(writing: commands)?.code == .workerCrashed)
    }

    @Test func `an Office document is stopped at the output limit if its PDF becomes too large`() async throws {
        let lines = (0..<4000).map { "Line \($0) of a long document" }.joined(separator: "\n")
        let path = try await OfficeFixtures.shared.make("odt", name: "long.txt", text: lines)
        let pool = place.pool(limits: WorkerLimits(memoryBytes: 2 << 30, outputBytes: 40 << 10))
        let error = await #expect(throws: WorkError.self) { try await pool.convert(try place.request(path)) }
        #expect(error?.code == .outputTooLarge, "\(error?.detail ?? "")")
        #expect(error?.message.contains("LibreOffice wrote a file of more than") == true)
        #expect(place.remains() == [])
    }

    @Test func `a new Office process pool removes the old folders of a killed pool`() async throws {
        let orphan = "\(place.scratch)/printq-office-abcdef"
        try FileManager.default.createDirectory(atPath: "\(orphan)/1/work", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(orphan)/lock"))
        let old = timeval(tv_sec: 1_000_000_000, tv_usec: 0)
        utimes(orphan, [old, old])
        let young = "\(place.scratch)/printq-office-ghijkl"
        try FileManager.default.createDirectory(atPath: young, withIntermediateDirectories: true)
        try await place.pool().running {
            try await eventually("the old folder is removed") { access(orphan, F_OK) != 0 }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.scratch) == ["printq-office-ghijkl"])
    }
}

/// Tests of damaged documents.
@Suite(.enabled(if: OfficeInstallation.find() != nil, "LibreOffice is not installed"))
struct OfficeMutationTests {
    @Test(arguments: ["docx", "odt", "rtf", "doc"])
    func `the conversion of a damaged Office document produces a PDF or an error with a message`(ending: String)
        async throws
    {
        let place = try OfficeWorkplace()
        let count = getenv("PRINTQ_OFFICE_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 6
        let original = try Array(Data(contentsOf: URL(filePath: try await OfficeFixtures.shared.document(ending))))
        var mutations = ByteMutations()
        let pool = place.pool(limits: WorkerLimits(memoryBytes: 2 << 30, processorSeconds: 20, wallSeconds: 60))
        var ends: [String: Int] = [:]
        for number in 1...count {
            let path = try place.file("\(number).\(ending)", mutations.mutated(original))
            let request = try place.request(path)
            let failure: WorkError?
            do throws(WorkError) {
                _ = try await pool.convert(request)
                failure = nil
            } catch {
                failure = error
            }
            ends[failure?.code.rawValue ?? "PDF", default: 0] += 1
            #expect(failure?.message.isEmpty != true)
            #expect(FileManager.default.fileExists(atPath: request.output) == (failure == nil))
            #expect(place.remains() == [])
        }
        if count > 6 { print("\(ending):", ends.sorted { $0.key < $1.key }) }
    }
}
