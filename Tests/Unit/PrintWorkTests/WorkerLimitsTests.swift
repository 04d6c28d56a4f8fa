import AsyncPrimitives
import PrintModel
import PrintWork
import ProcessPools
import Testing

/// Tests of the limits: each limit has a separate error and does not affect the next document.
struct WorkerLimitsTests {
    private let place = Workplace()

    private func expect(
        _ code: WorkError.Code, saying words: String, from orders: String, under limits: WorkerLimits
    ) async throws {
        let pool = place.pool(limits)
        try await pool.running {
            let error = await #expect(throws: WorkError.self) {
                _ = try await pool.prepare(place.preparation(orders)) { _ in }
            }
            #expect(error?.code == code, "\(error?.detail ?? "")")
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            let next = try await pool.inspect(place.document("say fine"))
            #expect(next.notices == ["fine"])
        }
    }

    @Test func `a document is stopped if it exceeds the CPU time limit`() async throws {
        try await expect(
            .processorTimeExceeded, saying: "preparing the document took more than 1 s of CPU time",
            from: "burn", under: WorkerLimits(processorSeconds: 1))
    }

    @Test func `a document is stopped if it exceeds the wall-clock limit`() async throws {
        try await expect(
            .timeExceeded, saying: "preparing the document took more than 1 s;",
            from: "sleep", under: WorkerLimits(wallSeconds: 1))
    }

    @Test func `a document that ignores the signal for its CPU time is stopped once, and is not prepared again`()
        async throws
    {
        let time = WorkTime()
        try await WorkTime.$current.withValue(time) {
            try await expect(
                .processorTimeExceeded, saying: "preparing the document took more than 1 s of CPU time",
                from: "ignore\nburn", under: WorkerLimits(processorSeconds: 1))
        }
        // The kernel kills the process two seconds after the signal.
        #expect(time.seconds >= 2)
    }

    @Test(arguments: [1.5, 10]) func `a document has the time that its earlier attempts have not used`(
        used: Double
    ) async throws {
        let pool = place.pool(WorkerLimits(wallSeconds: 2))
        let time = WorkTime(used: used)
        try await pool.running {
            let error = await #expect(throws: WorkError.self) {
                try await WorkTime.$current.withValue(time) {
                    _ = try await pool.prepare(place.preparation("sleep")) { _ in }
                }
            }
            #expect(error?.code == .timeExceeded)
            #expect(error?.message.contains("the attempts to prepare the document have used its whole") == true)
        }
        #expect(time.seconds >= 2)
        #expect(time.seconds < used + 1.5)
    }

    @Test func `each page of a document has time of its own to be drawn, within a limit for the document`()
        async throws
    {
        // Each page lets its worker fail; without a limit for the document, all pages are tried.
        let pages = (1...40).map { "usual \($0) sleep" }
        let document = try place.document("pages 40", pages.joined(separator: "\n"))
        let request = RenderRequest(
            document: document.path, pages: 1...40, pageCount: 40,
            delivery: DeliveryFormat(
                format: .pwgRaster, pixels: PixelForm(resolution: .usual, type: .color8, isGray: false)),
            options: DeviceOptions(paper: PrintPaper(media: .a4)))
        let pool = place.pool(WorkerLimits(pageSeconds: 0, wallSeconds: 1))
        let time = WorkTime()
        let error = await #expect(throws: WorkError.self) {
            try await WorkTime.$current.withValue(time) { _ = try await pool.render(request) { _ in } }
        }
        #expect(error?.code == .timeExceeded)
        #expect(time.seconds < 10)
    }

    @Test func `the parts of a printed document have one time limit together`() async throws {
        let pages = (1...40).map { "usual \($0) sleep" }
        let request = RasterizeRequest(
            document: try place.document("pages 40", pages.joined(separator: "\n")),
            paper: PrintPaper(media: .a4), outputFolder: "\(place.folder)/job")
        let pool = place.pool(WorkerLimits(pageSeconds: 0, wallSeconds: 1))
        let time = WorkTime()
        let error = await #expect(throws: WorkError.self) {
            try await WorkTime.$current.withValue(time) { _ = try await pool.rasterize(request) { _ in } }
        }
        #expect(error?.code == .timeExceeded)
        #expect(time.seconds < 10)
    }

    @Test func `work without a job has one time limit for all its parts`() async throws {
        let request = RasterizeRequest(
            document: try place.document("pages 40", "usual 1 sleep", "usual 2 sleep", "usual 3 sleep"),
            paper: PrintPaper(media: .a4), outputFolder: "\(place.folder)/job")
        let pool = place.pool(WorkerLimits(pageSeconds: 0, wallSeconds: 1))
        let error = await #expect(throws: WorkError.self) { _ = try await pool.rasterize(request) { _ in } }
        #expect(error?.code == .timeExceeded)
    }

    @Test func `a document is stopped at the memory limit if it uses more and more memory`() async throws {
        try await expect(
            .memoryExceeded, saying: "needed more than 512 MiB of memory",
            from: "eat", under: WorkerLimits(memoryBytes: 512 << 20))
    }

    @Test func `a document is stopped at the memory limit if it requests one terabyte of memory`() async throws {
        try await expect(
            .memoryExceeded, saying: "needed more than 1024 MiB of memory", from: "gulp", under: WorkerLimits())
    }

    @Test func `a document is stopped at the output limit if its output file becomes too large`() async throws {
        try await expect(
            .outputTooLarge, saying: "wrote a file of more than 3 MiB",
            from: "write 1000", under: WorkerLimits(outputBytes: 3 << 20))
    }

    @Test func `a crash of a worker causes a different error than an exceeded limit`() async throws {
        try await expect(
            .workerCrashed, saying: "the worker crashed while preparing the document",
            from: "crash", under: WorkerLimits())
    }

    @Test func `if a worker reports an error, the error is returned unchanged`() async throws {
        try await expect(.damaged, saying: "the document is incomplete", from: "refuse", under: WorkerLimits())
    }
}
