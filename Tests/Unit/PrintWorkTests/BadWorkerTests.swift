import PrintModel
import PrintWork
import Testing

/// Tests of workers that violate the protocol because the workers are missing, broken or compromised.
struct BadWorkerTests {
    private let place = Workplace()

    private func failure(of script: String) async throws -> WorkError? {
        let pool = WorkerPool(executable: try place.script(script), isWarm: false)
        let document = try place.document("x")
        return await #expect(throws: WorkError.self) { try await pool.inspect(document) }
    }

    @Test func `the error for a missing worker program contains the path of the program`() async throws {
        let pool = WorkerPool(executable: "/nowhere/print-worker")
        let document = try place.document("x")
        let error = await #expect(throws: WorkError.self) { try await pool.inspect(document) }
        #expect(error?.code == .workerUnavailable)
        #expect(error?.message.contains("'/nowhere/print-worker'") == true)
    }

    @Test func `the error for a worker program that exits immediately contains the last output of the program`()
        async throws
    {
        let error = try await failure(of: "echo 'no such library' >&2; exit 3")
        #expect(error?.code == .workerUnavailable)
        #expect(error?.detail?.contains("no such library") == true)
    }

    @Test func `an invalid response of a worker is refused`() async throws {
        let error = try await failure(of: "read request; echo 'hello, world'; sleep 100")
        #expect(error?.code == .workerCrashed)
        #expect(error?.detail?.contains("'hello, world'") == true)
    }

    @Test func `a worker's response line of unlimited length is refused`() async throws {
        let error = try await failure(of: "read request; exec tr '\\0' x < /dev/zero")
        #expect(error?.code == .workerCrashed)
        #expect(error?.detail?.contains("a line of more than") == true)
    }

    @Test func `a worker's response to a different request is refused`() async throws {
        let error = try await failure(
            of: """
                read request
                echo '{"prepared":{"impressions":1,"sheets":1,"pages":1,"notices":[]}}'
                """)
        #expect(error?.code == .workerCrashed)
    }

    @Test(arguments: ["kill -SEGV $$", "exit 1", "echo nonsense"])
    func `if a worker fails after reporting a preliminary result, the result is returned`(end: String) async throws {
        let pool = WorkerPool(
            executable: try place.script(
                """
                read -r request
                echo %PDF-1.7 > "$(printf %s "$request" | sed 's/.*"file":"//; s/".*//' | tr -d '\\\\')"
                echo '{"locked":{"systemCalls":true,"landlockVersion":0}}'
                echo '{"drafted":{"impressions":2,"sheets":1,"pages":2,"blankBacks":[],"notices":["x"]}}'
                \(end)
                """), isWarm: false)
        let prepared = try await pool.prepare(try place.preparation("x")) { _ in }
        #expect(prepared == PreparedDocument(impressions: 2, sheets: 1, pages: 2, notices: ["x"]))
    }

    @Test(arguments: ["-1", "99999999999"])
    func `a worker's response with an impossible page count is refused`(count: String) async throws {
        let error = try await failure(
            of: """
                read request
                echo '{"inspected":{"format":"text/plain","pageCount":\(count),"isEncrypted":false,"notices":[]}}'
                """)
        #expect(error?.code == .workerCrashed)
    }

    @Test(arguments: ["../other/page.png", "..", "", "/etc/passwd"])
    func `a worker's response with a page image outside of the output folder is refused`(name: String) async throws {
        let request = RasterizeRequest(
            document: try place.document("x"), paper: PrintPaper(media: .a4), outputFolder: place.folder)
        let page = #"{"page":1,"file":"\#(name)","width":1,"height":1,"clipped":[],"isBlank":false}"#
        let script = try place.script(
            """
            read request
            echo '{"rasterized":{"impressions":1,"sheets":1,"pages":[\(page)]}}'
            """)
        let pool = WorkerPool(executable: script, isWarm: false)
        let error = await #expect(throws: WorkError.self) { try await pool.rasterize(request) { _ in } }
        #expect(error?.code == .workerCrashed)
    }

    @Test(arguments: ["workerUnavailable", "sandboxIncomplete", "canceled"])
    func `if a worker reports a retryable error after its sandbox is active, the error is treated as a crash`(
        code: String
    ) async throws {
        let locked = #"echo '{"locked":{"systemCalls":true,"landlockVersion":1}}'"#
        let failed = #"echo '{"error":{"code":"\#(code)","message":"try again"}}'"#
        let late = try await failure(of: "read request\n\(locked)\n\(failed)")
        #expect(late?.code == .workerCrashed)
        #expect(late?.detail?.contains("the error '\(code)' after the sandbox was active") == true)
        // Before it enters the sandbox, a worker has not opened the document, and is trusted.
        let early = try await failure(of: "read request\n\(failed)")
        #expect(early?.code.rawValue == code && early?.message == "try again")
    }

    @Test func `excessive output on standard error does not block the worker or fill the memory`() async throws {
        let script = try place.script(
            """
            read request
            head -c 3000000 /dev/zero | tr '\\0' e >&2
            echo '{"inspected":{"format":"text/plain","pageCount":1,"isEncrypted":false,"notices":["done"]}}'
            """)
        let pool = WorkerPool(executable: script, isWarm: false)
        #expect(try await pool.inspect(place.document("x")).notices == ["done"])
    }

    @Test func `terminal control characters in a worker's messages are removed`() async throws {
        let error = try await failure(
            of: #"""
                read request
                printf '%s\n' '{"error":{"code":"damaged","message":"a\u001b[2Jb\nc"}}'
                """#)
        #expect(error?.code == .damaged)
        #expect(error?.message == "a [2Jb c")
    }
}
