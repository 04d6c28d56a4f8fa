import FoundationEssentials
import Glibc
import PrintTestSupport
import PrintTesting
import ProcessLaunch
import Testing

/// Tests of the test printer with the real printsim and print-worker.
struct TestPrinterTests {
    /// Two pages: one with a red square one inch from the left and top edges, and one with a blue line.
    static let letter: [UInt8] = {
        var pdf = PDFBuilder(title: "Letter")
        pdf.addPage(.a4) { page in
            page.fill(.red, x: 72, y: 842 - 72 - 100, width: 100, height: 100)
            page.text("Dear reader", x: 100, y: 500, size: 24)
        }
        pdf.addPage(.a4) { page in
            page.fill(.blue, x: 72, y: 400, width: 200, height: 2)
            page.text("Yours", x: 100, y: 500, size: 24)
        }
        return pdf.bytes
    }()

    @Test func `'nextJob' returns the job with its pages, text and pixels`() async throws {
        let printer = try await TestPrinter.start("color-laser")
        #expect(printer.uri == "ipp://localhost:\(printer.port)/ipp/print/color-laser")
        let id = try await printer.submit(
            Self.letter, options: ["sides": "two-sided-long-edge", "copies": "2"], name: "letter")
        let job = try await printer.nextJob()
        #expect(job.id == id && job.name == "letter" && job.state == .completed)
        #expect(job.copies == 2 && job.sides == .longEdge && job.sheets == 2 && job.impressions == 4)
        #expect(job.paper.media == .a4 && job.documents.map(\.format) == [.pdf])
        #expect(job.description == "job \(id) (letter): completed, 2 pages on 2 sheets")
        #expect(try job.pages.map { try $0.text.contains("Dear") } == [true, false])
        let page = job.pages[0]
        #expect((page.width, page.height, page.resolution) == (827, 1169, 100))
        #expect(try page.color(x: 120, y: 120) == PixelColor(red: 255, green: 0, blue: 0))
        #expect(try page.color(x: 60, y: 120) == .white)
        #expect(try page.colors().count == 827 * 1169)
        let beside = #expect(throws: PrintTestingError.self) { try page.color(x: 596, y: 0) }
        #expect(beside?.message.hasPrefix("(596.0, 0.0) is outside page 1 of job \(id)") == true)
        await printer.stop()
        #expect(access(printer.outputFolder, F_OK) != 0, "the printer's folder is deleted when the printer stops")
    }

    @Test func `a test printer's environment contains its ipp: and ipps: URIs, CUPS_SERVER and LPDEST`() async throws {
        try await TestPrinter.with("color-laser") { printer in
            let secure = try #require(printer.ippsURI)
            #expect(secure == "ipps://localhost:\(printer.port)/ipp/print/color-laser")
            #expect(
                printer.environment == [
                    "PRINTSIM_URI": printer.uri, "PRINTSIM_IPPS_URI": secure,
                    "CUPS_SERVER": "localhost:\(printer.port)", "LPDEST": "color-laser",
                ])
        }
    }

    @Test func `'nextJob' returns the jobs in order and skips each job that the test has already read with 'job'`()
        async throws
    {
        try await TestPrinter.with("mono-laser") { printer in
            for name in ["a", "b", "c"] {
                try await printer.submit(Self.letter, options: ["page-ranges": "2"], name: name)
            }
            #expect(try await printer.job(2).name == "b")
            let first = try await printer.nextJob()
            #expect(first.name == "a" && first.pages.count == 1)
            #expect(try first.pages[0].text.contains("Yours"))
            #expect(try await printer.nextJob().name == "c")
        }
    }

    @Test func `a fault stops the printer, and the job continues when the fault is cleared`() async throws {
        let printer = try await TestPrinter.start("color-laser", faults: ["media-jam at page 2"])
        try await printer.submit(Self.letter, name: "letter")
        let status = try await printer.untilStatus { $0.state == .stopped }
        #expect(status.reasons == ["media-jam-error"])
        let error = await #expect(throws: PrintTestingError.self) {
            try await printer.nextJob(timeout: .milliseconds(200))
        }
        #expect(error?.code == .timedOut)
        #expect(
            error?.message
                == "timed out after 0.2 seconds waiting for a job to end: color-laser is stopped (media-jam-error): "
                + "Paper jam; clear the jam; job 1 (letter) is processing-stopped, 1 of 2 sides printed: "
                + "Paper jam; clear the jam")
        #expect(try await printer.faults == ["media-jam at page 2 until cleared (now)"])
        try await printer.clear("media-jam")
        #expect(try await printer.nextJob().pages.count == 2)
        #expect(try await printer.faults.isEmpty)
        let wrong = await #expect(throws: PrintTestingError.self) { try await printer.fault("fire") }
        #expect(wrong?.message.contains("unknown fault 'fire'") == true)
    }

    @Test func `if the printer is busy, 'nextJob' retries its requests, and 'submit' fails with server-error-busy`()
        async throws
    {
        try await TestPrinter.with("color-laser") { printer in
            try await printer.submit(Self.letter)
            try await printer.fault("busy 3 times")
            #expect(try await printer.nextJob().state == .completed)
            try await printer.fault("busy at Print-Job once")
            let error = await #expect(throws: PrintTestingError.self) {
                try await printer.submit(Self.letter, name: "letter")
            }
            #expect(error?.message.hasPrefix("printing 'letter' was refused with server-error-busy") == true)
        }
    }

    @Test func `a test can load paper, replace toner and switch the printer off and on`() async throws {
        let folder = try TemporaryFolder()
        let file = """
            { name: 'desk', makeAndModel: 'Desk', media: ['A4', 'A5'], mediaTypes: ['stationery'],
              trays: [{ name: 'tray-1', media: 'A5' }],
              supplies: [{ name: 'Black toner', color: 'black', yield: 100, whenEmpty: 'stop' }] }
            """
        try file.write(toFile: folder.path("desk.json5"), atomically: true, encoding: .utf8)
        try await TestPrinter.with(folder.path("desk.json5")) { printer in
            try await printer.submit(Self.letter)
            #expect(try await printer.untilStatus { $0.state == .stopped }.reasons == ["media-needed-error"])
            let tray = await #expect(throws: PrintTestingError.self) { try await printer.load("tray-9") }
            #expect(tray?.message.contains("tray-9") == true)
            try await printer.level("Black toner", 0)
            try await printer.load("tray-1", 10, "A4", type: "stationery")
            try await printer.untilStatus { $0.reasons.contains { $0.hasSuffix("-empty-error") } }
            try await printer.replace("Black toner")
            #expect(try await printer.nextJob().state == .completed)
            try await printer.powerOff()
            await #expect(throws: PrintTestingError.self) { try await printer.submit(Self.letter) }
            try await printer.powerOn()
            try await printer.submit(Self.letter)
            #expect(try await printer.nextJob().state == .completed)
        }
    }

    @Test func `a timeout error contains the printer's state`() async throws {
        let printer = try await TestPrinter.start("label")
        let error = await #expect(throws: PrintTestingError.self) {
            try await printer.nextJob(timeout: .milliseconds(100))
        }
        #expect(
            error?.message
                == "timed out after 0.1 seconds waiting for a job to end: label is idle; no job is waiting or printing")
        await printer.stop()
        let ended = await #expect(throws: PrintTestingError.self) { try await printer.nextJob() }
        #expect(ended?.code == .printerEnded)
        #expect(ended?.message == "the printer label has ended with exit code 0")
    }

    @Test func `the text of a JPEG page cannot be read, and the error gives the document format as the reason`()
        async throws
    {
        try await TestPrinter.with("photo") { printer in
            let image = try #require(Self.jpeg)
            try await printer.submit(image, format: .jpeg)
            let job = try await printer.nextJob()
            #expect(job.state == .completed && job.documents.map(\.format) == [.jpeg])
            let error = #expect(throws: PrintTestingError.self) { try job.pages[0].text }
            #expect(error?.code == .noText && error?.message.contains("its document is image/jpeg") == true)
        }
    }

    @Test func `the error for a failed start contains the messages of printsim`() async throws {
        let error = await #expect(throws: PrintTestingError.self) { try await TestPrinter.start("plotter") }
        #expect(error?.message.contains("unknown printer 'plotter'") == true)
        let folder = try TemporaryFolder()
        try "{ name: 'x' }".write(toFile: folder.path("x.json5"), atomically: true, encoding: .utf8)
        let bad = await #expect(throws: PrintTestingError.self) { try await TestPrinter.start(folder.path("x.json5")) }
        #expect(bad?.message.contains("x.json5: 'makeAndModel' must be a text, but is missing") == true)
        let options = await #expect(throws: PrintTestingError.self) {
            try await TestPrinter.with { try await $0.submit(Self.letter, options: ["duplexity": "much"]) }
        }
        #expect(options?.code == .usage)
    }

    @Test func `a test printer can use a custom printer file, and keeps the output folder that the test specifies`()
        async throws
    {
        let folder = try TemporaryFolder()
        try "{ name: 'desk', makeAndModel: 'Desk', media: ['A5'], color: true }".write(
            toFile: folder.path("desk.json5"), atomically: true, encoding: .utf8)
        let job = try await TestPrinter.with(folder.path("desk.json5"), output: folder.path("kept")) { printer in
            try await printer.submit(Self.letter)
            return try await printer.nextJob()
        }
        #expect(job.paper.media.name == "iso_a5_148x210mm")
        #expect(job.folder == folder.path("kept/desk/job-000001"))
        #expect(try PrintedJob(folder: job.folder).pages.count == 2)
    }

    /// A JPEG of 8 × 8 gray pixels.
    private static let jpeg: [UInt8]? = {
        let text =
            "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeX"
            + "BkeFxlZ2P/wAALCAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBR"
            + "IhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhI"
            + "WGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AOgr/9k="
        return Data(base64Encoded: text).map(Array.init)
    }()
}
