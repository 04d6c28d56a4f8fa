import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import ProcessLaunch
import Testing

@testable import PrintWork
@testable import ProcessPools

/// Tests of workers that a process of another user starts, as in the service.
@Suite(.enabled(if: geteuid() == 0, "only root can start a process as another user"))
struct OtherUserTests {
    private let place = Workplace()
    private let service: WorkerService
    private let worker: String

    init() throws {
        chmod(place.folder, 0o711)
        // The other user cannot pass through the folder of a job, as in the spool.
        service = try WorkerService(in: place.folder, launcher: try place.copy("print-launcher"))
        worker = try place.copy("test-worker")
    }

    private func pool(_ limits: WorkerLimits = WorkerLimits(), isWarm: Bool = true) -> WorkerPool {
        WorkerPool(
            executable: worker, limits: limits, isWarm: isWarm, concurrent: 2,
            host: ProcessHost(socket: service.socket))
    }

    /// Returns the processes that run the test worker, with their users.
    private var processes: [pid_t: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var found: [pid_t: String] = [:]
        for process in names.compactMap({ pid_t($0) }) where text(of: "/proc/\(process)/cmdline").hasPrefix(worker) {
            let line = text(of: "/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("Uid:") }
            found[process] = line.map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
        }
        return found
    }

    private var ids: String { Array(repeating: "\(service.user)", count: 4).joined(separator: " ") }

    @Test(arguments: [true, false])
    func `each request is processed by a process of the other user`(isWarm: Bool) async throws {
        let pool = pool(isWarm: isWarm)
        try await pool.running {
            for _ in 1...3 {
                let summary = try await pool.inspect(place.document("say hello", "identity"))
                #expect(summary.notices.first == "hello")
                #expect(summary.notices.last?.contains("Uid: \(ids)") == true, "\(summary.notices)")
            }
            let written = try await pool.prepare(place.preparation("write 1")) { _ in }
            #expect(written.notices == ["ok"])
            var status = stat()
            #expect(stat("\(place.folder)/job/prepared.pdf", &status) == 0 && status.st_size == 1 << 20)
        }
        try await eventually("no process is left") { processes.isEmpty }
    }

    @Test func `without Landlock, the other user cannot read another job's document or the database`() async throws {
        let script = "\(place.folder)/unfenced"
        let tool = try place.copy("without-landlock")
        try "#!/bin/sh\nexec '\(tool)' '\(worker)' \"$@\"\n".write(toFile: script, atomically: false, encoding: .utf8)
        chmod(script, 0o755)
        let pool = WorkerPool(executable: script, host: ProcessHost(socket: service.socket))
        let database = "\(place.folder)/spool.sqlite"
        try "rows".write(toFile: database, atomically: false, encoding: .utf8)
        chmod(database, 0o600)
        let other = try place.document("say secret", in: "other")
        // This document was printed before, so its mode permits the group of the workers to read it.
        _ = try await pool.inspect(other)
        let results = try await pool.inspect(
            place.document("read \(database)", "read \(other.path)", "create \(database)", "say end")
        ).notices
        let refused = "Permission denied"
        #expect(results == [refused, refused, refused, "end"])
    }

    @Test func `time limits, processor time and cancellation end a process of the other user`() async throws {
        let burning = pool(WorkerLimits(processorSeconds: 1, wallSeconds: 60))
        try await burning.running {
            let busy = await #expect(throws: WorkError.self) { try await burning.inspect(place.document("burn")) }
            #expect(busy?.code == .processorTimeExceeded)
        }
        let pool = pool(WorkerLimits(processorSeconds: 1, wallSeconds: 2))
        try await pool.running {
            let slow = await #expect(throws: WorkError.self) { try await pool.inspect(place.document("sleep")) }
            #expect(slow?.code == .timeExceeded)
            let stubborn = await #expect(throws: WorkError.self) {
                try await pool.inspect(place.document("ignore", "burn"))
            }
            #expect(stubborn?.code == .processorTimeExceeded || stubborn?.code == .timeExceeded)
            let task = Task { try await pool.inspect(place.document("sleep", in: "canceled")) }
            try await eventually("a worker and the template run") { processes.count == 2 }
            task.cancel()
            let canceled = await #expect(throws: WorkError.self) { try await task.value }
            #expect(canceled?.code == .canceled)
            try await eventually("only the template runs") { processes.count == 1 }
            #expect(try await pool.inspect(place.document("say next", in: "next")).notices == ["next"])
        }
        try await eventually("no process is left") { processes.isEmpty }
    }

    @Test func `after a crash of a worker, its template or its host, the next document is processed`() async throws {
        let pool = pool()
        try await pool.running {
            let crash = await #expect(throws: WorkError.self) { try await pool.inspect(place.document("crash")) }
            #expect(crash?.code == .workerCrashed && crash?.detail?.contains("signal 6") == true)
            #expect(try await pool.inspect(place.document("say one")).notices == ["one"])
            for process in processes.keys { kill(process, SIGKILL) }
            #expect(try await pool.inspect(place.document("say two")).notices == ["two"])
            let host = try #require(service.nextHost())
            kill(host, SIGKILL)
            try await eventually("the host has ended") { kill(host, 0) != 0 }
            #expect(try await pool.inspect(place.document("say three")).notices == ["three"])
            #expect(service.nextHost() != host)
        }
    }

    @Test func `the processes of a host end with the connection`() async throws {
        let pool = pool()
        let task = Task { try await pool.running { try await pool.inspect(place.document("ignore", "sleep")) } }
        // A document that arrives before the template of the pool has a template of its own.
        try await eventually("a worker and its template run") { processes.count >= 2 }
        #expect(Set(processes.values) == [ids])
        task.cancel()
        _ = await task.result
        try await eventually("no process is left") { processes.isEmpty }
    }

    @Test func `without the socket, a document is refused and no worker runs as this user`() async throws {
        let pool = WorkerPool(executable: worker, host: ProcessHost(socket: "\(place.folder)/nowhere.sock"))
        let document = try place.document("say hello")
        let error = await #expect(throws: WorkError.self) { try await pool.inspect(document) }
        #expect(error?.code == .workerUnavailable)
        #expect(error?.detail?.contains("nowhere.sock") == true)
    }

    @Test func `the page viewer draws pages in a process of the other user`() async throws {
        let viewer = PageViewer(
            executable: try place.copy("print-worker"), host: ProcessHost(socket: service.socket))
        defer { viewer.shutdown() }
        mkdir("\(place.folder)/job", 0o700)
        let path = "\(place.folder)/job/a.pdf"
        try PDFBuilder.numbered(pages: 2).write(to: path)
        chmod(path, 0o600)
        let documents = ViewedDocuments(
            id: "a", request: ViewRequest(documents: [ViewedDocument(InputDocument(path: path, format: .pdf))]))
        let pages = try await viewer.pages(of: documents, for: "ann")
        #expect(pages.documentPages == [2])
        let tile = PageTile(wholePage: 1, ofSize: pages.sizes[0], resolution: 24)
        #expect(try await viewer.draw(tile, of: documents, for: "ann").notice == nil)
    }
}

extension Workplace {
    /// Copies a program to a place where every user can execute it.
    fileprivate func copy(_ program: String) throws -> String {
        let path = "\(folder)/\(program)"
        try FileManager.default.copyItem(atPath: BuiltPrograms.folder + program, toPath: path)
        chmod(path, 0o755)
        return path
    }
}
