import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ConvertingWorkerPoolTests {
    /// A converter that writes a PDF with one page and keeps its requests.
    private final class Converter: Sendable {
        let requests = Mutex<[ConvertRequest]>([])

        func engine(obstacle: WorkError? = nil) -> ConvertingWorkerPool.Engine {
            ConvertingWorkerPool.Engine(obstacle: { _ in obstacle }) { [self] (request) async throws(WorkError) in
                requests.withLock { $0.append(request) }
                var pdf = PDFBuilder()
                pdf.addPage(.a4) { $0.fill(.red, x: 100, y: 100, width: 100, height: 100) }
                do { try Data(pdf.bytes).write(to: URL(filePath: request.output)) } catch {
                    throw WorkError(.writeFailed, "\(error)")
                }
                return ConvertedDocument(pageCount: 1, notices: ["the font 'A' is not installed"])
            }
        }
    }

    private let place = Workplace()
    private let pool = WorkerPool(executable: Workplace.programs + "print-worker", warm: 0)

    private func request(_ text: String, name: String, orientation: Orientation? = nil) throws -> PrepareRequest {
        var request = try place.preparation(text)
        request.documents[0].name = name
        request.documents[0].format = .text
        request.imposition.orientation = orientation
        return request
    }

    @Test func `a text document is converted for the paper and the orientation of the job, and then prepared`()
        async throws
    {
        let converter = Converter()
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: converter.engine()])
        let prepared = try await documents.prepare(try request("Hello", name: "a.txt", orientation: .landscape)) { _ in
        }
        #expect(prepared.pages == 1)
        #expect(prepared.notices == ["the font 'A' is not installed"])
        let conversion = try #require(converter.requests.withLock { $0.first })
        #expect(conversion.type.name == "Plain text")
        #expect(conversion.layout.pageSize.isLandscape)
        #expect(conversion.layout.title == "a.txt")
    }

    @Test func `a document is converted once for the same layout, and again for another layout`() async throws {
        let converter = Converter()
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: converter.engine()])
        for _ in 1...2 {
            let prepared = try await documents.prepare(try request("Hello", name: "a.txt")) { _ in }
            #expect(prepared.notices.count == 1)
        }
        #expect(converter.requests.withLock { $0.count } == 1)
        _ = try await documents.prepare(try request("Hello", name: "a.txt", orientation: .landscape)) { _ in }
        #expect(converter.requests.withLock { $0.count } == 2)
    }

    @Test func `a PDF is not converted`() async throws {
        let converter = Converter()
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: converter.engine()])
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.blue, x: 10, y: 10, width: 50, height: 50) }
        let request = try request("x", name: "a.txt")
        try Data(pdf.bytes).write(to: URL(filePath: request.documents[0].path))
        #expect(try await documents.prepare(request) { _ in }.pages == 1)
        #expect(converter.requests.withLock { $0.isEmpty })
    }

    @Test func `the error for a missing converter is unsupportedFormat and names the package to install`() async throws
    {
        let missing = WorkError(.workerUnavailable, "LibreOffice is missing; install libreoffice-writer-nogui")
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: Converter().engine(obstacle: missing)])
        await #expect {
            _ = try await documents.prepare(try request("Hello", name: "a.txt")) { _ in }
        } throws: { error in
            let error = error as? WorkError
            return error?.code == .unsupportedFormat && error?.message.contains("libreoffice-writer-nogui") == true
        }
        let types = documents.printableTypes
        #expect(!types.formats.contains(.text))
        #expect(types.formats.contains(.pdf))
    }

    @Test func `a registered type takes precedence and is converted without identification`() async throws {
        let program = ConverterProgram(name: "own", arguments: ["/usr/bin/own", "{input}", "{output}"])
        let own = DocumentType(
            name: "Own text", identifier: "org.example.own", formats: [DocumentFormat(rawValue: "text/x-own")],
            extensions: ["own"], converter: .program(program))
        let converter = Converter()
        let documents = ConvertingWorkerPool(
            pool: WorkerPool(executable: "/nonexistent", warm: 0), registry: .builtIn.adding([own]),
            engines: [.program: converter.engine()])
        let document = try request("Hello", name: "a.own").documents[0]
        #expect(try await documents.typeToConvert(document) == own)
    }
}
