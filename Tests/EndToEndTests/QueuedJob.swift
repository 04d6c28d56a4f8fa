// Reads printed pages and the properties of jobs.

import Foundation
import PrintRaster
import PrintTestSupport
import Testing

/// The pixels of a printed page.
struct PrintedPage: PixelSheet {
    let bitmap: Bitmap
    var width: Int { bitmap.width }
    var height: Int { bitmap.height }

    func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let pixel = bitmap[x, y]
        return (pixel.red, pixel.green, pixel.blue)
    }
}

/// A job from `printq … --json`.
struct QueuedJob: Decodable {
    var id: Int
    var state: String
    var reasons: [String]
    var message: String?
    var uuid: String?
    var folder: String?
    var impressions: Int?
    var sheets: Int?

    private enum CodingKeys: String, CodingKey {
        case id = "job-id"
        case state = "job-state"
        case reasons = "job-state-reasons"
        case message = "job-state-message"
        case uuid = "job-uuid"
        case folder = "printq-output-folder"
        case impressions = "job-impressions-completed"
        case sheets = "job-media-sheets-completed"
    }
}

/// A line of a simulated printer's `printer.log`.
struct LogLine: Decodable {
    var job: Int
    var uuid: String
    var name: String
    var state: String
    var impressions: Int
    var sheets: Int
    var copies: Int
    var sides: String
    var warnings: [String]
}

/// The output folder of a printed job.
struct PrintedJob {
    let folder: String

    init(folder: String) { self.folder = folder }

    /// Finds the job of a simulated printer by its position among the printer's jobs, from 1.
    ///
    /// The printers of a printsim share their job numbers.
    init(number: Int, in output: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
        let jobs = names.filter { $0.hasPrefix("job-") }.sorted()
        folder = "\(output)/\(jobs.count < number ? "job \(number) is missing" : jobs[number - 1])"
    }

    /// The page images in order.
    var pages: [PrintedPage] {
        get throws {
            try pageNames.map { PrintedPage(bitmap: try Bitmap(readingPNG: "\(folder)/\($0)")) }
        }
    }

    /// The names of the page images in order.
    var pageNames: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("page-") }.sorted()
        }
    }

    /// All printed sides as a PDF.
    var sheets: PDFDocument { get throws { try PDFDocument(path: "\(folder)/sheets.pdf") } }

    /// The contents of `job.json`.
    var record: [String: Any] {
        get throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/job.json"))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
    }
}

extension TestSpooler {
    /// Prints a document and returns its output.
    ///
    /// The command must succeed.
    func printed(
        _ pdf: PDFBuilder, _ options: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> PrintedJob {
        let path = try file("\(UUID().uuidString).pdf", pdf)
        let arguments = ["submit", "--wait", "--json"] + options + [path]
        let run = try await run(program("printq"), arguments)
        expect(run, sourceLocation: sourceLocation)
        let job = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
        return PrintedJob(folder: try #require(job.folder, sourceLocation: sourceLocation))
    }

    /// Returns a job from `printq show`.
    func job(_ id: Int) async throws -> QueuedJob {
        let run = try await printq("show", "\(id)", "--json")
        try #require(run.code == 0, "\(run.complaints)")
        return try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
    }

    /// Returns the jobs from `printq queue`.
    func jobs(_ options: String...) async throws -> [QueuedJob] {
        let run = try await run(program("printq"), ["queue", "--json"] + options)
        try #require(run.code == 0, "\(run.complaints)")
        return try JSONDecoder().decode([QueuedJob].self, from: Data(run.output.utf8))
    }

    /// Submits a document and returns the job number.
    ///
    /// The command must succeed.
    func submit(_ path: String, _ options: String...) async throws -> Int {
        let run = try await run(program("printq"), ["submit"] + options + [path])
        return try #require(run.jobID, "\(run.output)\(run.complaints)")
    }

    /// Returns the ended jobs from a simulated printer's log.
    func log(of printer: String) throws -> [LogLine] {
        try text(of: "\(spool)/output/\(printer)/printer.log").split(separator: "\n").map {
            try JSONDecoder().decode(LogLine.self, from: Data($0.utf8))
        }
    }

    /// Waits until the message of a job contains the words.
    func wait(until id: Int, says words: String, state: String? = nil) async throws {
        try await eventually("job \(id) has the message '\(words)'") {
            let job = try await job(id)
            return job.message?.contains(words) == true && (state == nil || job.state == state)
        }
    }

    /// Returns a job after it has ended.
    func ended(_ id: Int) async throws -> QueuedJob {
        try await waitForEnd(of: id)
        return try await job(id)
    }

    /// Returns the lines of `printq watch` about a job, without the time of day.
    func told(_ id: Int) async throws -> [String] {
        let run = try await printq("watch", "\(id)", "--after", "0")
        return run.lines.map { String($0.split(separator: " ", maxSplits: 1).last ?? "") }
    }
}
