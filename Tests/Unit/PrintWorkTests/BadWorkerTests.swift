import PrintModel
import PrintWork
import Testing

/// Workers that do not keep to the protocol, because they are missing, broken or taken over.
struct BadWorkerTests {
    private let place = Workplace()

    private func failure(of script: String) async throws -> WorkError? {
        let pool = WorkerPool(executable: try place.script(script), warm: 0)
        let document = try place.document("x")
        return await #expect(throws: WorkError.self) { try await pool.inspect(document) }
    }

    @Test func `a missing program is named`() async throws {
        let pool = WorkerPool(executable: "/nowhere/print-worker")
        let document = try place.document("x")
        let error = await #expect(throws: WorkError.self) { try await pool.inspect(document) }
        #expect(error?.code == .workerUnavailable)
        #expect(error?.message.contains("'/nowhere/print-worker'") == true)
    }

    @Test func `a program that ends before it begins is unavailable, with its last words`() async throws {
        let error = try await failure(of: "echo 'no such library' >&2; exit 3")
        #expect(error?.code == .workerUnavailable)
        #expect(error?.detail?.contains("no such library") == true)
    }

    @Test func `an answer that is not one is no answer`() async throws {
        let error = try await failure(of: "read request; echo 'hello, world'; sleep 100")
        #expect(error?.code == .workerCrashed)
        #expect(error?.detail?.contains("'hello, world'") == true)
    }

    @Test func `a line without end is cut off`() async throws {
        let error = try await failure(of: "read request; exec tr '\\0' x < /dev/zero")
        #expect(error?.code == .workerCrashed)
        #expect(error?.detail?.contains("a line of more than") == true)
    }

    @Test func `the answer to another question is refused`() async throws {
        let error = try await failure(
            of: """
                read request
                echo '{"prepared":{"impressions":1,"sheets":1,"pages":1,"notices":[]}}'
                """)
        #expect(error?.code == .workerCrashed)
    }

    @Test(arguments: ["kill -SEGV $$", "exit 1", "echo nonsense"])
    func `a document that was prepared stays prepared when its review fails`(end: String) async throws {
        let pool = WorkerPool(
            executable: try place.script(
                """
                read request
                echo '{"locked":{"systemCalls":true,"landlockVersion":0}}'
                echo '{"drafted":{"impressions":2,"sheets":1,"pages":2,"blankBacks":[],"notices":["x"]}}'
                \(end)
                """), warm: 0)
        let prepared = try await pool.prepare(try place.preparation("x")) { _ in }
        #expect(prepared == PreparedDocument(impressions: 2, sheets: 1, pages: 2, notices: ["x"]))
    }

    @Test(arguments: ["-1", "99999999999"])
    func `a count that no document has is refused`(count: String) async throws {
        let error = try await failure(
            of: """
                read request
                echo '{"inspected":{"format":"text/plain","pageCount":\(count),"isEncrypted":false,"notices":[]}}'
                """)
        #expect(error?.code == .workerCrashed)
    }

    @Test(arguments: ["../other/page.png", "..", "", "/etc/passwd"])
    func `a page image outside its folder is refused`(name: String) async throws {
        let request = RasterizeRequest(
            document: try place.document("x"), paper: PrintPaper(media: .a4), outputFolder: place.folder)
        let page = #"{"page":1,"file":"\#(name)","width":1,"height":1,"clipped":[],"isBlank":false}"#
        let script = try place.script(
            """
            read request
            echo '{"rasterized":{"impressions":1,"sheets":1,"pages":[\(page)]}}'
            """)
        let pool = WorkerPool(executable: script, warm: 0)
        let error = await #expect(throws: WorkError.self) { try await pool.rasterize(request) { _ in } }
        #expect(error?.code == .workerCrashed)
    }

    @Test func `a flood on standard error neither blocks the worker nor fills our memory`() async throws {
        let script = try place.script(
            """
            read request
            head -c 3000000 /dev/zero | tr '\\0' e >&2
            echo '{"inspected":{"format":"text/plain","pageCount":1,"isEncrypted":false,"notices":["done"]}}'
            """)
        let pool = WorkerPool(executable: script, warm: 0)
        #expect(try await pool.inspect(place.document("x")).notices == ["done"])
    }

    @Test func `words that would drive a terminal come out as plain words`() async throws {
        let error = try await failure(
            of: #"""
                read request
                printf '%s\n' '{"error":{"code":"damaged","message":"a\u001b[2Jb\nc"}}'
                """#)
        #expect(error?.code == .damaged)
        #expect(error?.message == "a [2Jb c")
    }
}
