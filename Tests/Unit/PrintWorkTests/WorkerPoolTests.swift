import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessPools
import Subprocess
import Synchronization
import Testing

struct WorkerPoolTests {
    private let place = Workplace()

    /// Waits until the pool has started its template, and returns the template's process ID.
    private func template(otherThan old: pid_t? = nil) async throws -> pid_t {
        var found: pid_t?
        try await eventually("a template waits") {
            found = Processes.children(running: place.worker).first { $0 != old }
            return found != nil
        }
        return try #require(found)
    }

    @Test func `each request is processed by a process that is forked from a template`() async throws {
        let pool = place.pool()
        try await pool.running {
            let template = try await template()
            var workers: Set<pid_t> = []
            for _ in 1...3 {
                let summary = try await pool.inspect(place.document("say hello", "fork"))
                #expect(summary.notices == ["hello", "Operation not permitted"])
                workers.insert(try #require(pid_t(summary.title ?? "")))
            }
            #expect(workers.count == 3 && !workers.contains(template))
            #expect(Processes.children(running: place.worker) == [template])
        }
    }

    @Test func `a forked worker has the limits and the session of a started worker`() async throws {
        let limits = WorkerLimits(memoryBytes: 900 << 20, processorSeconds: 7, outputBytes: 5 << 20, openFiles: 99)
        let (warm, cold) = (place.pool(limits), place.pool(limits, isWarm: false))
        let started = try await seen(of: cold, in: "cold")
        let forked = try await warm.running { try await seen(of: warm, in: "warm") }
        #expect(forked == started)
        #expect(forked.contains("Max cpu time 7 9 seconds"))
    }

    /// Returns the limits, the open files, the session and the signals of a worker at its document.
    private func seen(of pool: WorkerPool, in job: String) async throws -> [String] {
        let document = try place.document("sleep", in: job)
        let task = Task { try await pool.inspect(document) }
        var worker: pid_t = 0
        try await eventually("the worker is at its document") {
            let children = Processes.children(running: place.worker)
            worker = children.first { text(of: "/proc/\($0)/syscall").hasPrefix("34 ") } ?? 0
            return worker > 0
        }
        let limits = text(of: "/proc/\(worker)/limits").split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        let kinds = ["SigB", "SigI", "SigC", "Seccomp", "NoNewPrivs", "Cap", "Threads"]
        let status = text(of: "/proc/\(worker)/status").split(separator: "\n").map(String.init).filter { line in
            kinds.contains { line.hasPrefix($0) }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd").count
        let isLeader = getsid(worker) == worker
        task.cancel()
        _ = await task.result
        return limits + status + ["files \(files)", "leader \(isLeader)"]
    }

    @Test func `if the template has ended, a worker is started instead, and the next request has a new template`()
        async throws
    {
        let pool = place.pool()
        try await pool.running {
            let first = try await template()
            kill(first, SIGKILL)
            #expect(try await pool.inspect(place.document("say hello")).notices == ["hello"])
            _ = try await template(otherThan: first)
            #expect(try await pool.inspect(place.document("say again")).notices == ["again"])
        }
    }

    @Test func `after a crash of a worker, the next workers have a new template`() async throws {
        let pool = place.pool()
        try await pool.running {
            let first = try await template()
            let error = await #expect(throws: WorkError.self) { try await pool.inspect(place.document("crash")) }
            #expect(error?.code == .workerCrashed)
            let second = try await template(otherThan: first)
            let refusal = await #expect(throws: WorkError.self) { try await pool.inspect(place.document("refuse")) }
            #expect(refusal?.code == .damaged)
            #expect(Processes.children(running: place.worker) == [second])
        }
    }

    /// Kills the only worker and returns the worker's process ID.
    private func killWorker(otherThan known: Set<pid_t> = []) async throws -> pid_t {
        var process: pid_t?
        try await eventually("a worker is at its document") {
            process = Processes.children(running: place.worker).subtracting(known).first
            // The worker sleeps after opening the document, because the document contains a sleep command.
            return process.map { text(of: "/proc/\($0)/syscall").hasPrefix("34 ") } ?? false
        }
        kill(try #require(process), SIGKILL)
        return process ?? 0
    }

    @Test func `if a worker is killed, the document is retried once, and a second kill causes an error`() async throws {
        let pool = place.pool(isWarm: false)
        let document = try place.document("sleep")
        let task = Task { try await pool.inspect(document) }
        let first = try await killWorker()
        _ = try place.document("say hello")
        #expect(try await task.value.notices == ["hello"])

        _ = try place.document("sleep")
        let again = Task { try await pool.inspect(document) }
        let second = try await killWorker(otherThan: [first])
        _ = try await killWorker(otherThan: [first, second])
        let error = await #expect(throws: WorkError.self) { try await again.value }
        #expect(error?.code == .workerCrashed)
    }

    @Test func `a worker leaves no partial PDF if it crashes`() async throws {
        let request = try place.preparation("create \(place.folder)/job/prepared.pdf.1.partial", "crash")
        let error = await #expect(throws: WorkError.self) { try await place.pool().prepare(request) { _ in } }
        #expect(error?.code == .workerCrashed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/job") == ["document-1.txt"])
    }

    @Test func `if 'run()' is not called, a pool starts a process for each request`() async throws {
        let summary = try await place.pool().inspect(place.document("say hello"))
        #expect(summary.notices == ["hello"])
    }

    @Test func `progress reports of a worker arrive in order and before the response`() async throws {
        let pages = Mutex<[Int]>([])
        let request = try place.preparation("progress 40")
        _ = try await place.pool().prepare(request) { progress in
            #expect(progress.total == 40)
            pages.withLock { $0.append(progress.page) }
        }
        #expect(pages.withLock(\.self) == Array(1...40))
    }

    @Test func `if a library prints text, the text is not mixed with the worker's responses`() async throws {
        let summary = try await place.pool().inspect(place.document("chatter", "say hello"))
        #expect(summary.notices == ["ok", "hello"])
    }

    @Test func `if a worker request is canceled, the worker process ends`() async throws {
        let pool = place.pool(isWarm: false)
        let document = try place.document("sleep")
        let task = Task { try await pool.inspect(document) }
        try await eventually("the worker runs") { !Processes.children(running: place.worker).isEmpty }
        task.cancel()
        let error = await #expect(throws: WorkError.self) { try await task.value }
        #expect(error?.code == .canceled)
    }

    @Test
    func `if a worker request is canceled, all descendants of the worker are killed, even if they ignore signals`()
        async throws
    {
        let list = "\(place.folder)/pids"
        let stubborn = try place.script(
            """
            trap '' TERM
            (trap '' TERM; while :; do sleep 100; done) &
            echo $! $$ > \(list)
            while :; do sleep 100; done
            """)
        let pool = WorkerPool(executable: stubborn, isWarm: false)
        let document = try place.document("x")
        let task = Task { try await pool.inspect(document) }
        var processes: [pid_t] = []
        try await eventually("both run") {
            processes = text(of: list)
                .split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
            return processes.count == 2
        }
        task.cancel()
        _ = await #expect(throws: WorkError.self) { try await task.value }
        try await eventually("both are gone") { !processes.contains(where: Processes.isAlive) }
    }

    @Test func `if a waiting worker request is canceled, it never starts, and the other requests keep their order`()
        async throws
    {
        let pool = place.pool(isWarm: false, concurrent: 1)
        let busy = try place.document("sleep", in: "busy")
        let quick = try place.document("say next", in: "quick")
        let first = Task { try await pool.inspect(busy) }
        try await eventually("the first runs") { !Processes.children(running: place.worker).isEmpty }
        let second = Task { try await pool.inspect(busy) }
        let third = Task { try await pool.inspect(quick) }
        second.cancel()
        let error = await #expect(throws: WorkError.self) { try await second.value }
        #expect(error?.code == .canceled)
        first.cancel()
        #expect(try await third.value.notices == ["next"])
    }

    /// Creates a request for a printer with a document that is too large for the place for small requests.
    private func largeRequest(_ orders: String, printer: String, in job: String) throws -> PrepareRequest {
        var request = try place.preparation(orders, String(repeating: "say nothing\n", count: 100_000), in: job)
        request.origin = WorkOrigin(printer: printer, owner: "ada")
        return request
    }

    @Test func `large documents of one printer do not delay small documents or other printers`() async throws {
        let pool = place.pool(isWarm: false, concurrent: 1)
        let sleeper = try largeRequest("sleep", printer: "laser", in: "first")
        let first = Task { try await pool.prepare(sleeper) { _ in } }
        try await eventually("the first runs") { !Processes.children(running: place.worker).isEmpty }
        let others = try (1...3).map { number in
            let request = try largeRequest("sleep", printer: "laser", in: "other-\(number)")
            return Task { try await pool.prepare(request) { _ in } }
        }
        // A small document is finished although the only place is taken.
        var small = try place.preparation("say small", in: "small")
        small.origin = WorkOrigin(printer: "inkjet", owner: "bob")
        #expect(try await pool.prepare(small) { _ in }.notices == ["small"])
        // The next free place is given to the printer that has had no request processed.
        let large = try largeRequest("say large", printer: "inkjet", in: "large")
        let next = Task { try await pool.prepare(large) { _ in } }
        // A waiting request cannot be observed from outside. The request waits as soon as the task is suspended.
        for _ in 0..<1000 { await Task.yield() }
        first.cancel()
        #expect(try await next.value.notices.first == "large")
        for other in others { other.cancel() }
        for other in others { _ = await other.result }
    }

    @Test func `after fifty requests, all worker processes have ended and all files are closed`() async throws {
        let leaks = try await Subprocess.run(
            .path(.init(BuiltPrograms.folder + "pool-leaks")), arguments: [place.worker, place.folder],
            output: .string(limit: 4096), error: .string(limit: 65536))
        #expect(leaks.standardOutput == "crashes 8 files 0 children 0\n")
    }

    @Test func `when the worker pool shuts down, the running request ends, and new requests are refused`() async throws
    {
        let pool = place.pool()
        let document = try place.document("sleep")
        let life = Task { await pool.run() }
        try await eventually("a worker waits") { !Processes.children(running: place.worker).isEmpty }
        let work = Task { try await pool.inspect(document) }
        try await eventually("it works, and another waits") {
            Processes.children(running: place.worker).count >= 2
        }
        pool.shutdown()
        await life.value
        let ended = await #expect(throws: WorkError.self) { try await work.value }
        #expect(ended?.code == .canceled)
        let refused = await #expect(throws: WorkError.self) { try await pool.inspect(document) }
        #expect(refused?.code == .workerUnavailable)
    }
}
