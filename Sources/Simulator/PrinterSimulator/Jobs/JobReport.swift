// Reads and writes job.json and the lines of printer.log.

import FoundationEssentials
package import PrintModel

/// A job and its pages: the contents of `job.json` in the job's folder.
package struct JobReport: Hashable, Sendable {
    package var job: SimulatedJob
    package var printer: String
    /// The page images in page order.
    package var pages: [PageImage] = []
    /// The resolution of the page images, in dots per inch; nil until the images are rendered.
    package var resolution: Int?
}

extension JobReport {
    package init(folder: String) throws {
        let data = try Data(contentsOf: URL(filePath: "\(folder)/job.json"))
        self = try JSONDecoder().decode(JobReport.self, from: data)
        job.folder = folder.split(separator: "/").last.map(String.init) ?? folder
    }

    /// The keys are sorted, so that equal jobs produce equal bytes.
    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    func logLine() throws -> [UInt8] {
        var line: [String: JSONValue] = [
            "time": .string(Timestamp.text(job.completedAt ?? job.createdAt)), "job": .integer(job.id),
            "uuid": .string(job.uuid), "name": .string(job.name), "owner": .string(job.owner),
            "state": .string(job.state.description), "reasons": .array(job.reasons.map { .string($0.rawValue) }),
            "message": .string(job.message), "media": .string(job.options.paper.media.name),
            "sides": .string(job.options.duplex.rawValue), "colorMode": .string(job.options.colorMode.rawValue),
            "copies": .integer(job.options.copies), "impressions": .integer(job.impressionsCompleted),
            "sheets": .integer(job.sheetsCompleted), "warnings": .array(job.warnings.map { .string($0) }),
            "folder": .string(job.folder),
        ]
        line["queueJob"] = job.queueNumber.map { .integer($0) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(JSONValue.object(line))) + [UInt8(ascii: "\n")]
    }
}

extension JobReport: Codable {
    private enum Keys: String, CodingKey {
        case id, uuid, printer, name, owner, state, reasons, message, ticket, paper, mediaSource, sides, colorMode,
            quality, scaling
        case copies
        case collated, pageRanges, orientation, hold, priority, documents, impressions, impressionsCompleted, sheets,
            sheetsCompleted, resolution
        case createdAt, processingAt, completedAt, warnings, pages, rollCut, pieces, outputBin, stack, blankBacks,
            lastSheetFirst, requiresFidelity, queueJob, failedChecks, requests
    }

    /// Encodes the report as one flat object.
    ///
    /// States are IPP keywords, and times are in ISO 8601.
    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: Keys.self)
        try keys.encode(job.id, forKey: .id)
        try keys.encodeIfPresent(job.queueNumber, forKey: .queueJob)
        try keys.encode(job.uuid, forKey: .uuid)
        try keys.encode(printer, forKey: .printer)
        try keys.encode(job.name, forKey: .name)
        try keys.encode(job.owner, forKey: .owner)
        try keys.encode(job.state.description, forKey: .state)
        try keys.encode(job.reasons, forKey: .reasons)
        try keys.encode(job.message, forKey: .message)
        try keys.encode(job.ticket, forKey: .ticket)
        try keys.encode(job.options.paper, forKey: .paper)
        try keys.encodeIfPresent(job.options.mediaSource, forKey: .mediaSource)
        try keys.encode(job.options.duplex, forKey: .sides)
        try keys.encode(job.options.colorMode, forKey: .colorMode)
        try keys.encodeIfPresent(job.options.quality, forKey: .quality)
        try keys.encodeIfPresent(job.options.scaling, forKey: .scaling)
        try keys.encode(job.options.copies, forKey: .copies)
        try keys.encode(job.options.collated, forKey: .collated)
        try keys.encode(job.pageRanges, forKey: .pageRanges)
        try keys.encodeIfPresent(job.orientation, forKey: .orientation)
        if job.hold != .noHold { try keys.encode(job.hold, forKey: .hold) }
        if job.priority != 50 { try keys.encode(job.priority, forKey: .priority) }
        if job.rollCut != .never { try keys.encode(job.rollCut, forKey: .rollCut) }
        if !job.pieces.isEmpty { try keys.encode(job.pieces, forKey: .pieces) }
        if !job.outputBin.isEmpty { try keys.encode(job.outputBin, forKey: .outputBin) }
        try keys.encodeIfPresent(job.stack, forKey: .stack)
        if job.requiresFidelity { try keys.encode(true, forKey: .requiresFidelity) }
        try keys.encode(job.documents, forKey: .documents)
        try keys.encodeIfPresent(job.impressions, forKey: .impressions)
        try keys.encode(job.impressionsCompleted, forKey: .impressionsCompleted)
        try keys.encodeIfPresent(job.sheets, forKey: .sheets)
        try keys.encode(job.sheetsCompleted, forKey: .sheetsCompleted)
        if let plan = job.plan, !plan.blankBacks.isEmpty { try keys.encode(plan.blankBacks, forKey: .blankBacks) }
        if job.plan?.isReversed == true { try keys.encode(true, forKey: .lastSheetFirst) }
        try keys.encodeIfPresent(resolution, forKey: .resolution)
        try keys.encode(Timestamp(job.createdAt), forKey: .createdAt)
        try keys.encodeIfPresent(job.processingAt.map(Timestamp.init), forKey: .processingAt)
        try keys.encodeIfPresent(job.completedAt.map(Timestamp.init), forKey: .completedAt)
        try keys.encode(job.warnings, forKey: .warnings)
        if !job.failedChecks.isEmpty { try keys.encode(job.failedChecks, forKey: .failedChecks) }
        if job.requests > 0 { try keys.encode(job.requests, forKey: .requests) }
        try keys.encode(pages, forKey: .pages)
    }

    /// The object does not contain the folder's name.
    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        let keyword = try keys.decode(String.self, forKey: .state)
        guard let state = JobState.allCases.first(where: { $0.description == keyword }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .state, in: keys, debugDescription: "'\(keyword)' is not a job state")
        }
        let options = DeviceOptions(
            paper: try keys.decode(PrintPaper.self, forKey: .paper), copies: try keys.decode(Int.self, forKey: .copies),
            collated: try keys.decode(Bool.self, forKey: .collated),
            duplex: try keys.decode(Duplex.self, forKey: .sides),
            colorMode: try keys.decode(ColorMode.self, forKey: .colorMode),
            quality: try keys.decodeIfPresent(PrintQuality.self, forKey: .quality),
            mediaSource: try keys.decodeIfPresent(String.self, forKey: .mediaSource),
            scaling: try keys.decodeIfPresent(PrintScaling.self, forKey: .scaling))
        job = SimulatedJob(
            id: try keys.decode(Int.self, forKey: .id), folder: "",
            queueNumber: try keys.decodeIfPresent(Int.self, forKey: .queueJob),
            uuid: try keys.decode(String.self, forKey: .uuid),
            name: try keys.decode(String.self, forKey: .name), owner: try keys.decode(String.self, forKey: .owner),
            ticket: try keys.decode(JSONValue.self, forKey: .ticket), options: options,
            pageRanges: try keys.decode(PageRanges.self, forKey: .pageRanges),
            orientation: try keys.decodeIfPresent(Orientation.self, forKey: .orientation),
            hold: try keys.decodeIfPresent(HoldUntil.self, forKey: .hold) ?? .noHold,
            priority: try keys.decodeIfPresent(Int.self, forKey: .priority) ?? 50,
            rollCut: try keys.decodeIfPresent(RollCut.self, forKey: .rollCut) ?? .never,
            outputBin: try keys.decodeIfPresent(String.self, forKey: .outputBin) ?? "",
            stack: try keys.decodeIfPresent(SimulatedJob.Stack.self, forKey: .stack),
            pieces: try keys.decodeIfPresent([RollPiece].self, forKey: .pieces) ?? [],
            documents: try keys.decode([SimulatedJob.Document].self, forKey: .documents), state: state,
            reasons: try keys.decode([JobStateReason].self, forKey: .reasons),
            message: try keys.decode(String.self, forKey: .message),
            createdAt: try keys.decode(Timestamp.self, forKey: .createdAt).time,
            processingAt: try keys.decodeIfPresent(Timestamp.self, forKey: .processingAt)?.time,
            completedAt: try keys.decodeIfPresent(Timestamp.self, forKey: .completedAt)?.time,
            impressions: try keys.decodeIfPresent(Int.self, forKey: .impressions),
            impressionsCompleted: try keys.decode(Int.self, forKey: .impressionsCompleted),
            sheets: try keys.decodeIfPresent(Int.self, forKey: .sheets),
            sheetsCompleted: try keys.decode(Int.self, forKey: .sheetsCompleted),
            warnings: try keys.decode([String].self, forKey: .warnings))
        printer = try keys.decode(String.self, forKey: .printer)
        pages = try keys.decode([PageImage].self, forKey: .pages)
        resolution = try keys.decodeIfPresent(Int.self, forKey: .resolution)
        job.requiresFidelity = try keys.decodeIfPresent(Bool.self, forKey: .requiresFidelity) ?? false
        job.failedChecks = try keys.decodeIfPresent([JobCheck.Failure].self, forKey: .failedChecks) ?? []
        job.requests = try keys.decodeIfPresent(Int.self, forKey: .requests) ?? 0
        job.readPlan(
            pages: pages.count, blankBacks: try keys.decodeIfPresent([Int].self, forKey: .blankBacks) ?? [],
            isReversed: try keys.decodeIfPresent(Bool.self, forKey: .lastSheetFirst) ?? false)
    }
}

extension SimulatedJob {
    /// Restores the values that `job.json` does not contain: the sheet plan and the number of completed sides.
    fileprivate mutating func readPlan(pages: Int, blankBacks: [Int], isReversed: Bool) {
        guard let sheets, sheets > 0 else { return }
        let copies = max(1, options.copies)
        plan = SheetPlan(
            media: options.paper.media.name, isColor: options.colorMode != .monochrome, copies: copies,
            sheetsPerCopy: sheets / copies, blankBacks: blankBacks, collated: options.collated,
            isReversed: isReversed, pages: pages)
        let sides = state == .completed ? sheets * sidesPerSheet : sheetsCompleted * sidesPerSheet
        sidesCompleted = max(sides, impressionsCompleted)
    }
}

/// A time in ISO 8601 with milliseconds, such as `2026-01-31T12:00:00.250Z`.
struct Timestamp: Codable {
    var time: UnixTime

    init(_ time: UnixTime) { self.time = time }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func text(_ time: UnixTime) -> String { style.format(Date(timeIntervalSince1970: time)) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.text(time))
    }

    init(from decoder: any Decoder) throws {
        time = try Self.style.parse(decoder.singleValueContainer().decode(String.self)).timeIntervalSince1970
    }
}
