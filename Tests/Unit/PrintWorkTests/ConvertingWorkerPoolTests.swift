import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintWork

@Suite(.timeLimit(.minutes(2)))
struct ConvertingWorkerPoolTests {
    /// A converter that writes a PDF with one page and keeps its requests.
    private final class Converter: Sendable {
        let requests = Mutex<[ConvertRequest]>([])

        func engine(unavailability: WorkError? = nil) -> ConvertingWorkerPool.Engine {
            ConvertingWorkerPool.Engine(check: { { _ in unavailability } }) {
                [self] (request) async throws(WorkError) in
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
    private let pool = WorkerPool(executable: BuiltPrograms.folder + "print-worker", isWarm: false)

    private func request(_ text: String, name: String, orientation: Orientation? = nil) throws -> PrepareRequest {
        var request = try place.preparation(text)
        request.documents[0].name = name
        request.documents[0].format = .text
        request.imposition.orientation = orientation
        return request
    }

    @Test
    func `if a document is not paginated, it is converted to pages for the job's paper before imposition`() async throws
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

    @Test func `an option for Office documents that the type of the document ignores is a warning`() async throws {
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: Converter().engine()])
        var request = try request("Hello", name: "a.txt")
        let pages = InputDocument(path: "\(place.folder)/pages.pdf", format: .pdf, name: "b.pdf")
        try Data(pdf()).write(to: URL(filePath: pages.path))
        request.documents.append(pages)
        request.conversion = ConversionLayout(paper: request.imposition.paper)
        request.conversion?.text.office = .notes
        request.conversion?.text.sheets = "1"
        let prepared = try await documents.prepare(request) { _ in }
        #expect(
            prepared.notices.suffix(4) == [
                "the option 'office=notes' has no effect on a.txt (Plain text)",
                "the choice of sheets has no effect on a.txt (Plain text)",
                "the option 'office=notes' has no effect on b.pdf",
                "the choice of sheets has no effect on b.pdf",
            ], "\(prepared.notices)")
    }

    @Test(
        arguments: [
            (.notes, ["pptx", "odp"]), (.hiddenSlides, ["pptx", "odp"]), (.activeSheet, ["xlsx", "ods"]),
            (.comments, ["docx", "odt", "rtf", "xlsx", "ods"]),
        ] as [(OfficePages, [String])])
    func `an option for Office documents has an effect on some types`(pages: OfficePages, endings: [String]) throws {
        var options = TextOptions()
        options.office = pages
        for ending in ["docx", "odt", "rtf", "xlsx", "ods", "pptx", "odp"] {
            let type = try #require(DocumentTypes.builtIn.type(forExtension: ending))
            #expect(options.unappliedOfficeOptions(to: type, name: "a").isEmpty == endings.contains(ending))
        }
    }

    private func pdf() -> [UInt8] {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.red, x: 100, y: 100, width: 100, height: 100) }
        return pdf.bytes
    }

    @Test func `a text file has the same type whether or not a worker identifies the file`() async throws {
        let texts = [
            "Hello", "a,b\n1,2\n", "# Title\n<p>x", " \t\n<html>", "<!DOCTYPE html><p>x", "\u{FEFF}<svg/>",
            "\u{FEFF}Hello", "<?xml version='1.0'?><svg xmlns='x'/>", "#!/bin/sh\n", "From: a\nTo: b\nDate: c\n\nx",
            String(repeating: " ", count: 3000) + "<html>", "\u{1B}[1mbold", "{\"a\": 1}", "naïve", "<",
        ]
        var evident: Set<String> = []
        for (index, text) in texts.enumerated() {
            for name in ["a.txt", "a.log", "a.csv", "a.tsv", "a.md", "a.eml", "a.html", "a.c", "a.svg", "a.doc", "a"] {
                var document = try place.document(text, in: "evident-\(index)")
                document.name = name
                let head = Array(text.utf8.prefix(1024))
                let type = DocumentTypes.builtIn.evidentType(ofHead: head, name: name, declared: nil)
                guard let format = type?.formats.first else { continue }
                evident.insert(format.rawValue)
                #expect(try await pool.identify(document) == format, "\(name): \(text.prefix(40))")
            }
        }
        #expect(
            evident == ["text/plain", "text/csv", "text/tab-separated-values", "text/markdown", "message/rfc822"])
    }

    @Test func `a declared type counts if neither the name nor the first bytes show the type`() async throws {
        let converting = ConvertingWorkerPool(pool: pool, engines: [:])
        var document = try place.document("<", in: "declared")
        document.name = "a"
        #expect(
            try await converting.identify(document, declared: .init(rawValue: "text/markdown"))?.formats.first?.rawValue
                == "text/markdown")
        document.name = "a.csv"
        #expect(
            try await converting.identify(document, declared: .init(rawValue: "text/markdown"))?.formats.first?.rawValue
                == "text/csv")
    }

    @Test func `if the first bytes or the name identify a document, no worker is required for the identification`()
        async throws
    {
        let converter = Converter()
        let broken = WorkerPool(executable: "/nowhere/print-worker", isWarm: false)
        let documents = ConvertingWorkerPool(
            pool: broken, engines: [.worker: converter.engine(), .program: converter.engine()])
        for (name, text) in [("a.txt", "Hello"), ("a.csv", "a,b"), ("a", "%!PS-Adobe-3.0\n"), ("a", "GIF89a…")] {
            var document = try place.document(text, in: "job-\(name)-\(text.prefix(3).hashValue)")
            document.name = name
            #expect(try await documents.typeToConvert(document)?.converter.engine != nil, "\(name)")
        }
        // Markup can be HTML or a drawing, whatever its name is.
        var markup = try place.document("<html>", in: "markup")
        markup.name = "a.txt"
        await #expect(throws: WorkError.self) { try await documents.typeToConvert(markup) }
    }

    @Test func `requests with equal layouts share one conversion, and a different layout requires a new conversion`()
        async throws
    {
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

    @Test func `a document is converted again when the arguments of the registered program have changed`() async throws
    {
        let converter = Converter()
        let request = try request("Hello", name: "a.own")
        for arguments in [["-a"], ["-a"], ["-b"]] {
            let program = ConverterProgram(
                name: "own", arguments: ["/usr/bin/own"] + arguments + ["{input}", "{output}"])
            let type = DocumentType(
                name: "Own text", identifier: "org.example.own", formats: [DocumentFormat(rawValue: "text/x-own")],
                extensions: ["own"], converter: .program(program))
            let documents = ConvertingWorkerPool(
                pool: pool, registry: .builtIn.adding([type]), engines: [.program: converter.engine()])
            _ = try await documents.prepare(request) { _ in }
        }
        let made = converter.requests.withLock { $0.map { $0.type.converter } }
        #expect(made.count == 2 && made.first != made.last)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a stored conversion result is not used if it is a link or belongs to another user`() async throws {
        let converter = Converter()
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: converter.engine()])
        let request = try request("Hello", name: "a.txt")
        _ = try await documents.prepare(request) { _ in }
        let folder = WorkerRequest.folder(of: request.output)
        let result = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix("-result") }
                .map { "\(folder)/\($0)" })
        // A worker can write to the folder, and could change the notices.
        chown(result, 65534, 65534)
        _ = try await documents.prepare(request) { _ in }
        #expect(converter.requests.withLock { $0.count } == 2)
        _ = try await documents.prepare(request) { _ in }
        #expect(converter.requests.withLock { $0.count } == 2, "the renewed result is used")
        let copy = "\(folder)/copy"
        try FileManager.default.moveItem(atPath: result, toPath: copy)
        symlink(copy, result)
        _ = try await documents.prepare(request) { _ in }
        #expect(converter.requests.withLock { $0.count } == 3)
    }

    @Test func `a PDF document with the file extension 'txt' is used without a conversion`() async throws {
        let converter = Converter()
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: converter.engine()])
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.blue, x: 10, y: 10, width: 50, height: 50) }
        let request = try request("x", name: "a.txt")
        try Data(pdf.bytes).write(to: URL(filePath: request.documents[0].path))
        #expect(try await documents.prepare(request) { _ in }.pages == 1)
        #expect(converter.requests.withLock { $0.isEmpty })
    }

    @Test func `if the converter is missing, the error is '.unsupportedFormat' and names the package to install`()
        async throws
    {
        let missing = WorkError(.unsupportedFormat, "LibreOffice is missing; install libreoffice-writer-nogui")
        let documents = ConvertingWorkerPool(
            pool: pool, engines: [.worker: Converter().engine(unavailability: missing)])
        await #expect {
            _ = try await documents.prepare(try request("Hello", name: "a.txt")) { _ in }
        } throws: { error in
            let error = error as? WorkError
            return error?.code == .unsupportedFormat && error?.message.contains("libreoffice-writer-nogui") == true
        }
        let types = await documents.printableTypes
        #expect(!types.formats.contains(.text))
        #expect(types.formats.contains(.pdf))
    }

    @Test func `an installed converter is detected after at most five seconds, and is searched once for all types`()
        async
    {
        let checks = Mutex(0)
        let isInstalled = Mutex(false)
        let now = Mutex(ContinuousClock.now)
        let engine = ConvertingWorkerPool.Engine(
            check: {
                checks.withLock { $0 += 1 }
                let isInstalled = isInstalled.withLock { $0 }
                return { type in isInstalled ? nil : WorkError(.unsupportedFormat, "install \(type.name)") }
            }, convert: { (_) async throws(WorkError) in throw WorkError(.damaged, "unused") })
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: engine], now: { now.withLock { $0 } })
        for _ in 0..<100 { #expect(await !documents.printableTypes.formats.contains(.text)) }
        #expect(checks.withLock { $0 } == 1)
        isInstalled.withLock { $0 = true }
        now.withLock { $0 += .seconds(5) }
        #expect(await documents.printableTypes.formats.contains(.text))
        #expect(checks.withLock { $0 } == 2)
    }

    @Test func `changed document types are in effect at once`() async {
        let documents = ConvertingWorkerPool(pool: pool, engines: [.worker: Converter().engine()])
        #expect(await documents.printableTypes.formats.contains(.text))
        documents.setRegistry(DocumentTypes([]))
        #expect(await documents.printableTypes.formats.isEmpty)
    }

    @Test func `a document with the extension of a registered type is identified without a worker`() async throws {
        let program = ConverterProgram(name: "own", arguments: ["/usr/bin/own", "{input}", "{output}"])
        let own = DocumentType(
            name: "Own text", identifier: "org.example.own", formats: [DocumentFormat(rawValue: "text/x-own")],
            extensions: ["own"], converter: .program(program))
        let converter = Converter()
        let documents = ConvertingWorkerPool(
            pool: WorkerPool(executable: "/nonexistent", isWarm: false), registry: .builtIn.adding([own]),
            engines: [.program: converter.engine()])
        let document = try request("Hello", name: "a.own").documents[0]
        #expect(try await documents.typeToConvert(document) == own)
    }
}
