// Prints from printq to network printers over IPP, in each format, with and without TLS.

import Foundation
import PrintRaster
import PrintTestSupport
import ProcessLaunch
import Testing

/// Printers that accept one format each, served by one `printsim` that is independent of any spooler.
private final class PrinterRow: Sendable {
    static let formats = ["pdf": "application/pdf", "pwg": "image/pwg-raster", "urf": "image/urf"]
    /// The `ipp:` and `ipps:` URIs of each printer by the name of its format.
    let uris: [String: (ipp: String, ipps: String)]
    private let folder: TemporaryFolder
    private let simulator: DetachedProcess

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("sims"), withIntermediateDirectories: true)
        for (name, format) in Self.formats {
            try """
            { name: '\(name)', makeAndModel: 'Laser', media: ['A4', 'A5'], color: true, formats: ['\(format)'],
              sides: ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'], resolutions: [100] }
            """.write(toFile: folder.path("sims/\(name).json5"), atomically: true, encoding: .utf8)
        }
        simulator = try DetachedProcess(
            program: Programs.beside("printsim"),
            arguments: Self.formats.keys.sorted() + [
                "--simulators", folder.path("sims"), "--output", folder.path("out"), "--no-dns-sd",
            ], log: folder.path("printsim.log"))
        let line = try #require(simulator.readLine(deadline: 30), "\(text(of: folder.path("printsim.log")))")
        let words = line.split(separator: "\"").map(String.init)
        var uris: [String: (ipp: String, ipps: String)] = [:]
        for name in Self.formats.keys {
            let own = words.filter { $0.hasSuffix("/ipp/print/\(name)") }
            uris[name] = (
                try #require(own.first { $0.hasPrefix("ipp:") }, "\(line)"),
                try #require(own.first { $0.hasPrefix("ipps:") }, "\(line)")
            )
        }
        self.uris = uris
    }

    deinit {
        kill(simulator.pid, SIGKILL)
        simulator.waitForEnd()
    }

    func printed(_ number: Int, on printer: String) -> PrintedJob {
        PrintedJob(number: number, in: folder.path("out/\(printer)"))
    }

    /// Returns the ended jobs of a printer.
    func log(of printer: String) throws -> [LogLine] {
        try text(of: folder.path("out/\(printer)/printer.log")).split(separator: "\n").map {
            try JSONDecoder().decode(LogLine.self, from: Data($0.utf8))
        }
    }

    /// Runs a printsim command at a printer, for example `fault media-empty`.
    func control(_ printer: String, _ arguments: String...) async throws {
        let run = try await ProgramRun(
            Programs.beside("printsim"), arguments,
            environment: ["PRINTSIM_URI": uris[printer]?.ipp ?? "", "PATH": "/usr/bin:/bin"], in: folder.path)
        expect(run)
    }
}

@Suite(.serialized, .timeLimit(.minutes(2)))
struct DirectPrintingTests {
    private let row: PrinterRow
    private let spooler: TestSpooler
    private let document: String

    /// Creates a spooler with the printers `pdf`, `pdf-tls`, `pwg` and so on, added with `printq printers add`.
    init() async throws {
        (row, spooler) = (try PrinterRow(), try TestSpooler())
        try spooler.start()
        for (name, uris) in row.uris {
            for (name, uri) in [(name, uris.ipp), ("\(name)-tls", uris.ipps)] {
                let added = try await spooler.printq("printers", "add", name, uri)
                expect(added)
                #expect(added.lines.first == "added \(name)", "\(added.output)")
            }
        }
        document = try spooler.file("three.pdf", .marked)
    }

    @Test func `network printers print the same pages in every format, with and without TLS`() async throws {
        let orders = [
            (options: ["--duplex", "long", "-n", "2", "--paper", "A4"], sheets: 4, media: "iso_a4_210x297mm"),
            (options: ["--pages", "2-3", "--paper", "A5"], sheets: 2, media: "iso_a5_148x210mm"),
        ]
        for (index, order) in orders.enumerated() {
            // The printers print in parallel: each printer has its own copy of the job.
            for name in row.uris.keys {
                for printer in [name, "\(name)-tls"] {
                    let arguments = ["submit", "-d", printer] + order.options + [document]
                    expect(try await spooler.run(spooler.program("printq"), arguments))
                }
            }
            expect(try await spooler.printq("watch", "--after", "0", "--until-ended"))
            let numbers = [2 * index + 1, 2 * index + 2]
            let wanted = row.printed(numbers[0], on: "pdf")
            let first = index == 0 ? 1 : 2
            let sent = try PDFDocument(path: "\(wanted.folder)/original.pdf")
            for number in first...3 {
                #expect(try sent.text(at: number - first).contains("page \(number)"))
            }
            for name in row.uris.keys {
                for number in numbers {
                    let job = row.printed(number, on: name)
                    #expect(FileManager.default.fileExists(atPath: "\(job.folder)/original.\(name)"))
                    let paper = try job.record["paper"] as? [String: Any]
                    #expect(paper?["media"] as? String == order.media)
                    try expectAlike(job, wanted, "\(name), job \(number)")
                }
                let log = try row.log(of: name).suffix(2)
                #expect(log.map(\.sheets) == [order.sheets, order.sheets], "\(name)")
                let sides = index == 0 ? "two-sided-long-edge" : "one-sided"
                #expect(log.map(\.sides) == [sides, sides], "\(name)")
                #expect(log.map(\.state) == ["completed", "completed"] && log.allSatisfy { $0.warnings.isEmpty })
            }
        }
    }

    /// Checks that all sides, including copies and blank backs, look the same except for the edges of letters.
    private func expectAlike(_ job: PrintedJob, _ wanted: PrintedJob, _ what: Comment) throws {
        let (seen, expected) = (try job.sheets, try wanted.sheets)
        try #require(seen.pageCount == expected.pageCount, what)
        for page in 0..<seen.pageCount {
            let side = try seen.render(page: page, dpi: 50)
            let difference = side.difference(from: try expected.render(page: page, dpi: 50), tolerance: 100)
            #expect(difference.pixelCount < side.width * side.height / 250, "\(what), side \(page + 1): \(difference)")
        }
    }

    @Test func `on network printers, jobs in every format can be held and canceled, and wait while paper is missing`()
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for printer in ["pdf", "pwg-tls", "urf-tls"] {
                group.addTask { try await hold(on: printer) }
            }
            try await group.waitForAll()
        }
        for name in row.uris.keys {
            #expect(try row.log(of: name).map(\.state) == ["completed", "canceled", "completed"], "\(name)")
        }
    }

    /// Prints a held job that then waits for paper, a job that is canceled while it waits, and a third job.
    private func hold(on printer: String) async throws {
        let device = String(printer.prefix(3))
        let id = try await spooler.submit(document, "-d", printer, "--hold", "indefinite")
        #expect(try await spooler.job(id).state == "pending-held")
        try await row.control(device, "fault", "media-empty")
        expect(try await spooler.printq("release", "\(id)"))
        try await spooler.wait(until: id, says: "Out of paper", state: "processing-stopped")
        try await row.control(device, "clear", "media-empty")
        #expect(try await spooler.ended(id).state == "completed")
        let told = try await spooler.told(id)
        let steps = ["accepted, held", ": waiting", "stopped: out of paper", "completed: 3 pages"]
        let places = steps.map { step in told.firstIndex { $0.contains(step) } }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(told)")

        try await row.control(device, "fault", "media-empty")
        let canceled = try await spooler.submit(document, "-d", printer)
        try await spooler.wait(until: canceled, says: "Out of paper", state: "processing-stopped")
        expect(try await spooler.printq("cancel", "\(canceled)"))
        #expect(try await spooler.ended(canceled).state == "canceled")
        #expect(try await spooler.told(canceled).last?.contains("canceled by its owner") == true)
        try await row.control(device, "clear", "media-empty")
        expect(try await spooler.printq("submit", "--wait", "-d", printer, document))
    }
}
