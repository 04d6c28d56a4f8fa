import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintBackends

/// Tests of the folder backend, including crashes between the steps of a job.
struct FolderBackendTests {
    private let place: TemporaryFolder
    private let folder: String
    private let document: String
    private let backend: FolderBackend

    init() throws {
        place = try TemporaryFolder()
        folder = "\(place.path)/out"
        document = "%PDF-1.4 the letter"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data(document.utf8).write(to: URL(filePath: "\(place.path)/prepared.pdf"))
        backend = FolderBackend(path: folder)
    }

    private var prepared: String { "\(place.path)/prepared.pdf" }

    private func request(_ name: String = "Letter", id: Int = 7) -> DeliveryRequest {
        DeliveryRequest(jobID: id, name: name, owner: "ann", options: JobTicket().plan(for: .anything).device)
    }

    private func deliver(_ name: String = "Letter", by backend: FolderBackend? = nil) async throws -> RemoteJob {
        let backend = backend ?? self.backend
        let job = try await backend.createJob(request(name))
        try await backend.sendDocument(prepared, format: .pdf, to: job)
        return job
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    }

    private func uuid(_ job: RemoteJob) -> String { String(job.uuid?.dropFirst("urn:uuid:".count) ?? "") }

    @Test func `a folder printer adds increasing numbers to the file names of jobs that have the same name`()
        async throws
    {
        let job = try await deliver()
        #expect(try await backend.jobStatus(job)?.state == .completed)
        _ = try await deliver()
        _ = try await deliver("Letter.pdf")
        #expect(try names(in: folder) == ["Letter-2.pdf", "Letter-3.pdf", "Letter.pdf"])
        #expect(try String(contentsOfFile: "\(folder)/Letter.pdf", encoding: .utf8) == document)
    }

    @Test func `the path of a job's output file is returned only while the file exists`() async throws {
        func file(_ job: RemoteJob) -> String? { FolderBackend.file(of: job, in: folder) }
        let waiting = try await backend.createJob(request())
        #expect(file(waiting) == nil)
        let (first, second) = (try await deliver(), try await deliver())
        #expect(file(first) == "\(folder)/Letter.pdf")
        #expect(file(second) == "\(folder)/Letter-2.pdf")
        try FileManager.default.removeItem(atPath: "\(folder)/Letter.pdf")
        #expect(file(first) == nil)
        #expect(file(RemoteJob(id: 7, uuid: "urn:uuid:../../etc/passwd")) == nil)
        try await backend.sendDocument(prepared, format: .pdf, to: waiting)
        #expect(file(waiting) == "\(folder)/Letter.pdf")
        #expect(file(first) == file(waiting), "the name was free again")
    }

    @Test func `if a host is stopped during a transfer, a second host can cancel the job, and no file is delivered`()
        async throws
    {
        let job = try await backend.createJob(request())
        // The transfer waits until the named pipe has a writer, like a stopped process.
        let pipe = place.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let transfer = Task { try await backend.sendDocument(pipe, format: .pdf, to: job) }
        let writer = try await Task.detached { [document] in
            // The open call returns when the transfer has opened the pipe.
            let handle = open(pipe, O_WRONLY)
            guard handle >= 0 else { throw CancellationError() }
            _ = document.withCString { write(handle, $0, strlen($0)) }
            return handle
        }.value
        let other = FolderBackend(path: folder)
        #expect(try await other.jobStatus(job)?.reasons == [.jobIncoming])
        try await other.cancelJob(job)
        close(writer)
        await #expect(throws: BackendError.self) { try await transfer.value }
        #expect(try await other.jobStatus(job)?.state == .canceled)
        #expect(try names(in: folder).isEmpty)
        let inside = "\(folder)/.printq"
        let left = try FileManager.default.contentsOfDirectory(atPath: inside)
        #expect(Set(left) == ["\(uuid(job)).json", "\(uuid(job)).canceled"])
        let canceled = try Data(contentsOf: URL(filePath: "\(inside)/\(uuid(job)).canceled"))
        #expect(canceled.isEmpty, "the document is deleted")
    }

    @Test func `if a transfer is canceled, its copying ends, and the job is canceled without a wait for the document`()
        async throws
    {
        let job = try await backend.createJob(request())
        let pipe = place.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        signal(SIGPIPE, SIG_IGN)
        let transfer = Task { [backend] in try await backend.sendDocument(pipe, format: .pdf, to: job) }
        let (begun, canceled) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let writer = Task.detached {
            let handle = open(pipe, O_WRONLY)
            defer { close(handle) }
            let piece = [UInt8](repeating: 7, count: 1 << 16)
            func write(_ count: Int) {
                for _ in 0..<count { if Glibc.write(handle, piece, piece.count) < 0 { return } }
            }
            write(32)
            begun.continuation.finish()
            for await _ in canceled.stream {}
            write(1024)
        }
        for await _ in begun.stream {}
        transfer.cancel()
        await #expect(throws: BackendError.self) { try await transfer.value }
        canceled.continuation.finish()
        try await backend.cancelJob(job)
        #expect(try await backend.jobStatus(job)?.state == .canceled)
        await writer.value
        #expect(try names(in: folder).isEmpty)
    }

    @Test func `a document that was moved to its final name cannot be canceled`() async throws {
        let job = try await backend.createJob(request())
        let files = FolderFiles(folder: folder)
        #expect(try files.bringOut(uuid(job), in: files.inside()))
        try await backend.cancelJob(job)
        #expect(try await FolderBackend(path: folder).jobStatus(job)?.state == .completed)
        #expect(try names(in: folder) == ["Letter.pdf"])
    }

    @Test func `concurrent spoolers can print to the same folder without losing or replacing files`() async throws {
        let backends = (0..<4).map { _ in FolderBackend(path: folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for backend in backends {
                group.addTask { for _ in 0..<25 { _ = try await deliver(by: backend) } }
            }
            try await group.waitForAll()
        }
        #expect(try names(in: folder).count == 100)
    }

    @Test func `after a crash at any step, a new folder backend finds the job`() async throws {
        // After step 1: the document is missing.
        let created = try await backend.createJob(request("created"))
        #expect(try await FolderBackend(path: folder).jobStatus(created)?.reasons == [.jobIncoming])
        // In step 2: the document is incomplete, or complete but not delivered.
        for text in ["%PD", document] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/.printq/\(uuid(created)).open"))
            #expect(try await FolderBackend(path: folder).jobStatus(created)?.reasons == [.jobIncoming])
        }
        #expect(try names(in: folder).isEmpty)
        // After step 3: the document is delivered only once, even if a user has removed the file.
        try await FolderBackend(path: folder).sendDocument(prepared, format: .pdf, to: created)
        #expect(try await FolderBackend(path: folder).jobStatus(created)?.state == .completed)
        #expect(try names(in: folder) == ["created.pdf"])
        try FileManager.default.removeItem(atPath: "\(folder)/created.pdf")
        #expect(try await FolderBackend(path: folder).jobStatus(created)?.state == .completed)
        await #expect(throws: BackendError.self) {
            try await FolderBackend(path: folder).sendDocument(prepared, format: .pdf, to: created)
        }
        #expect(try names(in: folder).isEmpty)
    }

    @Test func `after a power cut that empties a job's record, a folder backend finds the job`() async throws {
        let (waiting, done) = (try await backend.createJob(request()), try await deliver("done"))
        for job in [waiting, done] {
            #expect(truncate("\(folder)/.printq/\(uuid(job)).json", 0) == 0)
        }
        let other = FolderBackend(path: folder)
        #expect(try await other.jobStatus(waiting)?.reasons == [.jobIncoming])
        #expect(try await other.jobStatus(done)?.state == .completed)
        #expect(FolderBackend.file(of: done, in: folder) == nil)
        try await other.cancelJob(waiting)
        #expect(try await other.jobStatus(waiting)?.state == .canceled)
    }

    @Test
    func `if a document has both its temporary and its final file name after a crash, only one file is delivered`()
        async throws
    {
        let job = try await backend.createJob(request())
        let document = "\(folder)/.printq/\(uuid(job)).open"
        link(document, "\(folder)/Letter.pdf")
        #expect(try await backend.jobStatus(job)?.state == .completed)
        #expect(try names(in: folder) == ["Letter.pdf"])
        #expect(!FileManager.default.fileExists(atPath: document))
        // A cancellation between both steps renames the document, but does not delete its contents.
        let next = try await backend.createJob(request("Next"))
        try Data(self.document.utf8).write(to: URL(filePath: "\(folder)/.printq/\(uuid(next)).open"))
        link("\(folder)/.printq/\(uuid(next)).open", "\(folder)/Next.pdf")
        try await backend.cancelJob(next)
        #expect(try await backend.jobStatus(next)?.state == .completed)
        #expect(try String(contentsOfFile: "\(folder)/Next.pdf", encoding: .utf8) == self.document)
    }

    @Test func `if a job is canceled, a waiting document is deleted, and a delivered file is kept`() async throws {
        let waiting = try await backend.createJob(request())
        try await backend.cancelJob(waiting)
        #expect(try await backend.jobStatus(waiting)?.state == .canceled)
        await #expect(throws: BackendError.self) {
            try await backend.sendDocument(prepared, format: .pdf, to: waiting)
        }
        let done = try await deliver("done")
        try await backend.cancelJob(done)
        #expect(try await backend.jobStatus(done)?.state == .completed)
        #expect(try names(in: folder) == ["done.pdf"])
    }

    /// Makes files older than the records that are kept.
    private func age(_ paths: [String]) {
        for path in paths {
            var times = [timeval](repeating: timeval(tv_sec: 1_000_000, tv_usec: 0), count: 2)
            #expect(utimes(path, &times) == 0)
        }
    }

    @Test func `expired job records are deleted, and old files that are not job records are kept`() async throws {
        let job = try await deliver()
        let inside = "\(folder)/.printq"
        let left = "\(inside)/\(uuid(job)).json"
        let waiting = uuid(try await backend.createJob(request()))
        let others = ["\(inside)/notes.json", "\(folder)/Letter.pdf", "\(inside)/\(waiting).open"]
        try Data("mine".utf8).write(to: URL(filePath: others[0]))
        age(others + [left])
        _ = try await deliver("Next", by: FolderBackend(path: folder))
        #expect(!FileManager.default.fileExists(atPath: left))
        for path in others { #expect(FileManager.default.fileExists(atPath: path)) }
        // Without its document, a job with a record would count as delivered.
        age(["\(inside)/\(waiting).json"])
        for _ in 0..<2 { _ = try await deliver("Next", by: FolderBackend(path: folder)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: inside).allSatisfy { !$0.hasPrefix(waiting) })
    }

    @Test func `a job examines no record of another job, except once per hour`() async throws {
        let start = ContinuousClock.now
        let hours = Mutex(0.0)
        let backend = FolderBackend(path: folder) { start + .seconds(3600 * hours.withLock { $0 }) }
        let record = "\(folder)/.printq/\(uuid(try await deliver(by: backend))).json"
        age([record])
        hours.withLock { $0 = 0.9 }
        _ = try await deliver("Second", by: backend)
        #expect(FileManager.default.fileExists(atPath: record))
        hours.withLock { $0 = 1 }
        _ = try await deliver("Third", by: backend)
        #expect(!FileManager.default.fileExists(atPath: record))
    }

    @Test func `a folder printer refuses jobs if its .printq folder is a symbolic link`() async throws {
        let elsewhere = "\(place.path)/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        #expect(symlink(elsewhere, "\(folder)/.printq") == 0)
        let error = await #expect(throws: BackendError.self) { try await backend.createJob(request()) }
        #expect(error?.code == .unreachable && error?.message.contains("is not a folder; remove the file") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    /// Changes the owner of a file or folder to another user.
    private func giveAway(_ path: String) { #expect(lchown(path, 65_534, 65_534) == 0) }

    private static let isRoot = geteuid() == 0

    @Test(.enabled(if: isRoot, "only root can change the owner of a folder"))
    func `a .printq folder is refused if another user created the folder`() async throws {
        // The owner of the folder could read the documents and deliver other documents.
        try FileManager.default.createDirectory(atPath: "\(folder)/.printq", withIntermediateDirectories: false)
        chmod("\(folder)/.printq", 0o777)
        giveAway("\(folder)/.printq")
        let error = await #expect(throws: BackendError.self) { try await backend.createJob(request()) }
        #expect(error?.code == .unreachable && error?.isTransient == true)
        #expect(error?.message.contains("belongs to user 65534") == true, "\(error?.message ?? "")")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.printq").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [".printq"])
        // After the folder is removed, jobs continue.
        try FileManager.default.removeItem(atPath: "\(folder)/.printq")
        #expect(try await backend.jobStatus(try await deliver())?.state == .completed)
    }

    @Test(.enabled(if: isRoot, "only root can change the owner of a folder"))
    func `a .printq folder is refused if another user replaced the folder during a job`() async throws {
        let job = try await backend.createJob(request())
        try FileManager.default.moveItem(atPath: "\(folder)/.printq", toPath: "\(place.path)/away")
        try FileManager.default.copyItem(atPath: "\(place.path)/away", toPath: "\(folder)/.printq")
        giveAway("\(folder)/.printq")
        await #expect {
            try await backend.sendDocument(prepared, format: .pdf, to: job)
        } throws: { ($0 as? BackendError)?.message.contains("belongs to user 65534") == true }
        await #expect(throws: BackendError.self) { try await backend.jobStatus(job) }
        await #expect(throws: BackendError.self) { try await backend.cancelJob(job) }
        #expect(FolderBackend.file(of: job, in: folder) == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.printq")
        #expect(Set(left) == ["\(uuid(job)).json", "\(uuid(job)).open"])
    }

    @Test(.enabled(if: isRoot, "only root can change the owner of a file"))
    func `a folder printer refuses a job record or document that belongs to another user`() async throws {
        let job = try await backend.createJob(request())
        let inside = "\(folder)/.printq"
        giveAway("\(inside)/\(uuid(job)).json")
        await #expect {
            try await backend.jobStatus(job)
        } throws: { ($0 as? BackendError)?.message.contains("belongs to this spooler's user") == true }

        let next = try await backend.createJob(request("Next"))
        giveAway("\(inside)/\(uuid(next)).open")
        await #expect(throws: BackendError.self) { try await backend.jobStatus(next) }
        await #expect(throws: BackendError.self) {
            try await backend.sendDocument(prepared, format: .pdf, to: next)
        }
        #expect(try names(in: folder).isEmpty)
    }

    @Test(
        arguments: [
            (0o700, 0o600), (0o711, 0o600), (0o750, 0o640), (0o755, 0o644), (0o2770, 0o640), (0o1777, 0o644),
            (0o704, 0o604),
        ] as [(mode_t, mode_t)])
    func `users who can read the folder can read its documents, and only the spooler can read the folder .printq`(
        folderMode: mode_t, documentMode: mode_t
    ) async throws {
        // Only root can give the folder to a foreign group.
        if geteuid() == 0 { #expect(chown(folder, uid_t.max, 4242) == 0) }
        chmod(folder, folderMode)
        let job = try await deliver()
        var (place, file) = (stat(), stat())
        #expect(stat(folder, &place) == 0 && stat("\(folder)/Letter.pdf", &file) == 0)
        #expect(file.st_mode & 0o7777 == documentMode && file.st_gid == place.st_gid)
        #expect(stat("\(folder)/.printq", &file) == 0 && file.st_mode & 0o777 == 0o700)
        #expect(stat("\(folder)/.printq/\(uuid(job)).json", &file) == 0 && file.st_mode & 0o777 == 0o600)
    }

    @Test func `if other users can write to a .printq folder, the folder is refused until its mode is 700`()
        async throws
    {
        _ = try await backend.createJob(request())
        chmod("\(folder)/.printq", 0o770)
        let error = await #expect(throws: BackendError.self) { try await backend.createJob(request()) }
        #expect(error?.message.contains("mode to 700") == true, "\(error?.message ?? "")")
        chmod("\(folder)/.printq", 0o700)
        _ = try await backend.createJob(request())
    }

    @Test
    func `symbolic links to records or documents are not followed, and named pipes do not block the backend`()
        async throws
    {
        let job = try await backend.createJob(request())
        let inside = "\(folder)/.printq"
        let secret = "\(place.path)/secret"
        try Data("{}".utf8).write(to: URL(filePath: secret))
        // A link in place of the document, and then of the record.
        unlink("\(inside)/\(uuid(job)).open")
        #expect(symlink(secret, "\(inside)/\(uuid(job)).open") == 0)
        await #expect(throws: BackendError.self) { try await backend.sendDocument(prepared, format: .pdf, to: job) }
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "{}")
        unlink("\(inside)/\(uuid(job)).json")
        #expect(symlink(secret, "\(inside)/\(uuid(job)).json") == 0)
        await #expect(throws: BackendError.self) { try await backend.jobStatus(job) }
        // Opening a named pipe does not block.
        unlink("\(inside)/\(uuid(job)).json")
        #expect(mkfifo("\(inside)/\(uuid(job)).json", 0o600) == 0)
        await #expect(throws: BackendError.self) { try await backend.jobStatus(job) }
    }

    @Test func `'jobStatus' returns nil for a job of another folder and for an invalid UUID`() async throws {
        let job = try await deliver()
        let other = try TemporaryFolder()
        #expect(try await FolderBackend(path: other.path).jobStatus(job) == nil)
        #expect(try await backend.jobStatus(RemoteJob(id: 7, uuid: "urn:uuid:../../etc/passwd")) == nil)
        #expect(try await backend.jobStatus(RemoteJob(id: 7, uuid: nil)) == nil)
    }

    @Test func `a missing, invalid or read-only folder causes a transient error with a reason`() async throws {
        let missing = FolderBackend(path: "\(place.path)/none")
        await #expect {
            try await missing.createJob(request())
        } throws: { error in
            let error = error as? BackendError
            return error?.isTransient == true && error?.message.contains("does not exist; create the folder") == true
        }
        try FileManager.default.createDirectory(atPath: "\(place.path)/none", withIntermediateDirectories: false)
        _ = try await missing.createJob(request())
        let noFolder = FolderBackend(path: prepared)
        await #expect {
            try await noFolder.status()
        } throws: { ($0 as? BackendError)?.message.contains("is not a folder") == true }
        let readOnly = FolderBackend(path: "/proc/self")
        await #expect { try await readOnly.createJob(request()) } throws: { ($0 as? BackendError)?.isTransient == true }
    }

    @Test func `a missing document is reported as '.documentMissing'`() async throws {
        let job = try await backend.createJob(request())
        await #expect {
            try await backend.sendDocument("\(place.path)/gone.pdf", format: .pdf, to: job)
        } throws: { ($0 as? BackendError)?.code == .documentMissing }
    }

    @Test(arguments: [
        ("Letter", "Letter.pdf"), ("report.pdf", "report.pdf"), ("REPORT.PDF", "REPORT.pdf"), ("a/b\\c", "a_b_c.pdf"),
        ("../../etc/passwd", "_._.._etc_passwd.pdf"), (".bashrc", "_bashrc.pdf"), ("-rf", "_rf.pdf"),
        ("", "Untitled.pdf"),
        ("line\none\u{1B}[31m", "line_one_[31m.pdf"), ("\u{202E}fdp.exe", "_fdp.exe.pdf"),
        ("  two   words ", "two words.pdf"),
        ("ends. . ", "ends.pdf"), ("...", "_.pdf"), ("Grüße 😀", "Grüße 😀.pdf"), (".pdf", "_pdf.pdf"),
    ])
    func `a job name is converted to a safe file name`(title: String, name: String) {
        #expect(FolderFileName(title: title).name(attempt: 1) == name)
    }

    @Test func `a long job name is truncated at a character boundary and leaves room for a number`() {
        let name = FolderFileName(title: String(repeating: "👨‍👩‍👧", count: 300)).name(attempt: 1_000_000)
        #expect(name.utf8.count <= 255)
        #expect(name.hasPrefix("👨‍👩‍👧") && name.hasSuffix("👨‍👩‍👧-1000000.pdf"))
    }
}

extension PrinterCapabilities {
    fileprivate static var anything: PrinterCapabilities {
        PrinterCapabilities(makeAndModel: "", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, formats: [.pdf])
    }
}
