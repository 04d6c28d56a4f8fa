// Combines the laid-out sides of a job with the page images that a simulated printer wrote.

import FoundationEssentials
import Glibc
import PrintCenter
import PrintModel
import PrintWork
import PrinterSimulator
import Synchronization

/// A printed side, and the source of the side's image.
struct ViewedSide: Sendable {
    /// The document page that shows the side.
    struct Source: Sendable {
        var documents: ViewedDocuments
        var page: Int
        var size: Size
        /// Whether the side is already printed.
        ///
        /// The image of a printed side no longer changes.
        var isFinal: Bool
    }

    var item: PageItem
    /// The page that shows the side; nil if there is no image of the side, for example of a blank side.
    var source: Source?
    /// The laid-out page that the simulated printer received; nil if `source` is not an image of a simulated printer.
    var origin: Origin?

    /// The laid-out page from which a simulated printer made an image.
    struct Origin: Sendable {
        /// The laid-out page from which the simulated printer made the image.
        var page: Source
        /// The resolution of the image, in dots per inch.
        var imageResolution: Int
        /// The printable area in points, measured from the upper left corner of the paper.
        var printableArea: Rect
    }
}

/// The page images that a simulated printer wrote for a job.
struct SimulatedPages: Sendable {
    let folder: String
    let report: JobReport
    /// The page images as documents.
    ///
    /// An image file is opened when the image is drawn.
    let viewed: ViewedDocuments

    /// The resolution of the images, in dots per inch.
    var resolution: Int { max(1, report.resolution ?? 100) }

    init(folder: String, report: JobReport) {
        (self.folder, self.report) = (folder, report)
        let dpi = max(1, report.resolution ?? 100)
        let documents = report.pages.enumerated().map { index, page in
            ViewedDocument(
                InputDocument(path: "\(folder)/\(page.file)", name: page.file), imageResolution: dpi,
                imageSize: Size(width: Double(max(1, page.width)), height: Double(max(1, page.height))),
                shownSize: report.size(ofPage: index + 1))
        }
        viewed = ViewedDocuments(
            id: "\(folder) \(report.job.uuid) \(report.pages.count)",
            request: ViewRequest(documents: documents, folder: folder))
    }

    /// Returns whether a page is printed and its image exists.
    ///
    /// - Parameter number: The number of the page image, from 1.
    func isPrinted(_ number: Int) -> Bool {
        report.pages.indices.contains(number - 1) && access("\(folder)/\(report.pages[number - 1].file)", R_OK) == 0
    }

    /// Returns the size of a page image in points.
    func size(_ number: Int) -> Size { report.size(ofPage: number) }
}

/// A cache of the output folders of jobs at simulated printers, and of the reports of ended jobs.
final class SimulatedFolders: Sendable {
    private struct Entry {
        var remote: RemoteJob
        var folder: String
        var pages: SimulatedPages?
    }

    private let entries = Mutex<[Int: Entry]>([:])
    private static let most = 200

    func folder(of remote: RemoteJob, _ job: Int) -> String? {
        entries.withLock { entries in
            guard let entry = entries[job], entry.remote == remote else { return nil }
            return entry.folder
        }
    }

    func note(_ folder: String, of remote: RemoteJob, _ job: Int) {
        entries.withLock { entries in
            // A folder that is not in the list is requested again.
            if entries.count >= Self.most { entries = [:] }
            entries[job] = Entry(remote: remote, folder: folder)
        }
    }

    /// Returns the page images in a job's folder; nil if the folder contains no page images.
    func pages(in folder: String, _ job: Job) -> SimulatedPages? {
        if let pages = entries.withLock({ $0[job.id]?.pages }) { return pages }
        guard let report = try? JobReport(folder: folder), !report.pages.isEmpty else { return nil }
        let pages = SimulatedPages(folder: folder, report: report)
        if report.job.state.isTerminal { entries.withLock { $0[job.id]?.pages = pages } }
        return pages
    }
}

extension SpoolPages {
    /// Returns the page images of a job at a simulated printer; nil if there are no page images.
    func simulated(_ job: Job) async -> SimulatedPages? {
        guard let remote = job.remote else { return nil }
        if let folder = simulatedFolders.folder(of: remote, job.id) { return simulatedFolders.pages(in: folder, job) }
        let printer = try? await spool.printer(named: job.printer)
        guard let folder = await output(job, printer) else { return nil }
        simulatedFolders.note(folder, of: remote, job.id)
        return simulatedFolders.pages(in: folder, job)
    }

    /// Returns the printed sides of one copy of a job, in page order.
    ///
    /// - Throws: `Problem` if the job has neither documents nor page images.
    func printedSides(_ job: Job) async throws -> [ViewedSide] {
        let images = await simulated(job)
        do {
            return sides(of: try await laidOut(job), job, images)
        } catch let problem as Problem {
            guard let images else { throw problem }
            return sides(of: images, job)
        }
    }

    /// Returns the printed sides of a job.
    ///
    /// If a simulated printer has printed a side, the result contains the printer's image of the side. For any other
    /// side, the result contains the laid-out page.
    private func sides(of view: OpenView, _ job: Job, _ images: SimulatedPages?) -> [ViewedSide] {
        guard let layout = view.layout else { return [] }
        let order = PrintOrder(job, sides: layout.sides.count, sidesPerSheet: layout.sidesPerSheet)
        // The printer received the copies that printq made, in the order of printing.
        let sent = SentSides(
            sides: layout.sides.count, sidesPerSheet: layout.sidesPerSheet,
            isReversed: job.sheetPlan?.isReversed ?? (job.ticket.pageOrder == .reverse),
            isCollated: job.ticket.collated ?? true, copies: job.sheetPlan?.copies ?? job.ticket.copies ?? 1,
            first: job.resumeFrom, received: images?.report.pages.count ?? 0,
            coversBefore: job.sheetPlan?.coversBefore ?? 0, coversAfter: job.sheetPlan?.coversAfter ?? 0)
        let numbers = layout.sides.indices.map { images == nil ? nil : sent.number(ofSide: $0) }
        let viewed = images?.viewed
        let margins = PageItem.Margins(layout.plan.imposition.paper.margins)
        var impression = 0
        return layout.sides.indices.map { index in
            let isBlank = layout.sides[index].pages.isEmpty
            if !isBlank { impression += 1 }
            let size = view.opened.sizes[index]
            var source = ViewedSide.Source(documents: view.viewed, page: index + 1, size: size, isFinal: false)
            var isPrinted = false
            var origin: ViewedSide.Origin?
            if let images, let viewed, let number = numbers[index], images.isPrinted(number) {
                isPrinted = true
                if images.size(number).isNearly(size, tolerance: 0.5) {
                    origin = ViewedSide.Origin(
                        page: source, imageResolution: images.resolution,
                        printableArea: layout.plan.imposition.paper.printableRect)
                }
                source = ViewedSide.Source(
                    documents: viewed, page: number, size: images.size(number), isFinal: true)
            }
            var item = PageItem(
                number: index + 1, width: source.size.width, height: source.size.height,
                label: isBlank ? "" : "\(impression)")
            item.sheet = index / layout.sidesPerSheet + 1
            item.isFront = index % layout.sidesPerSheet == 0
            item.isBlank = isBlank
            item.margins = margins
            item.pages = layout.sides[index].pages.filter { $0 > 0 }
            item.turns = layout.sides[index].turns
            item.state = order.state(ofSide: index)
            // The images of a job that has just ended may be read before its progress.
            if isPrinted, item.state == .waiting { item.state = .printed }
            source.isFinal = source.isFinal || job.state == .completed
            return ViewedSide(item: item, source: source, origin: origin)
        }
    }

    /// Returns the sides in the report of a simulated printer, for a job whose documents are not available.
    private func sides(of images: SimulatedPages, _ job: Job) -> [ViewedSide] {
        let report = images.report
        let viewed = images.viewed
        let margins = PageItem.Margins(report.job.options.paper.margins)
        var impression = 0
        var front = 1
        return report.sides.enumerated().map { index, side in
            let number = side.page
            if side.isFront { front = number ?? front }
            let isBlank = !side.isFront && (number.map { report.pages[$0 - 1].isBlank } ?? true)
            if !isBlank { impression += 1 }
            let size = images.size(number ?? front)
            var item = PageItem(
                number: index + 1, width: size.width, height: size.height, label: isBlank ? "" : "\(impression)")
            item.sheet = side.sheet
            item.isFront = side.isFront
            item.isBlank = isBlank
            item.margins = margins
            let isPrinted = number.map(images.isPrinted) ?? (job.state == .completed)
            item.state = isPrinted ? .printed : job.state.isTerminal ? nil : .waiting
            return ViewedSide(
                item: item,
                source: number.flatMap {
                    images.isPrinted($0)
                        ? ViewedSide.Source(documents: viewed, page: $0, size: size, isFinal: true) : nil
                })
        }
    }
}

extension PageItem.Margins {
    /// Creates margins in points from the margins of a paper.
    init(_ margins: Margins) {
        self.init(
            top: margins.top.points, left: margins.left.points, bottom: margins.bottom.points,
            right: margins.right.points)
    }
}

/// The order in which the sides of a job are printed, and the progress of the job.
struct PrintOrder {
    private let job: Job
    private let sidesPerSheet: Int
    private let sheets: SheetPlaces

    /// Creates the printing order of a job.
    ///
    /// - Parameter sides: The number of sides of one copy.
    init(_ job: Job, sides: Int, sidesPerSheet: Int) {
        self.job = job
        self.sidesPerSheet = sidesPerSheet
        sheets = SheetPlaces(
            sheets: max(1, sides / sidesPerSheet), before: job.sheetPlan?.coversBefore ?? 0,
            after: job.sheetPlan?.coversAfter ?? 0, copies: max(1, job.sheetPlan?.copies ?? job.ticket.copies ?? 1),
            isCollated: job.sheetPlan?.collated ?? job.ticket.collated ?? true,
            isReversed: job.sheetPlan?.isReversed ?? (job.ticket.pageOrder == .reverse))
    }

    /// Returns the number of sides that the printer prints before the given side of the first copy.
    ///
    /// - Parameter side: The index of the side in page order, from 0.
    func sidesBefore(_ side: Int) -> Int {
        let (sheet, face) = side.quotientAndRemainder(dividingBy: sidesPerSheet)
        return sheets.place(ofSheet: sheet) * sidesPerSheet + face
    }

    /// Returns the state of a side; nil if the job has ended without printing the side.
    func state(ofSide side: Int) -> PageItem.State? {
        if job.state == .completed { return .printed }
        let before = sidesBefore(side)
        let done = job.impressionsCompleted
        if job.state == .processing || job.state == .processingStopped, done < sheets.total * sidesPerSheet,
            sheets.sheet(atPlace: done / sidesPerSheet) == side / sidesPerSheet,
            done % sidesPerSheet == before % sidesPerSheet
        {
            return .printing
        }
        if done > before { return .printed }
        return job.state.isTerminal ? nil : .waiting
    }
}

/// The places of the sheets of one copy among the printed sheets of all copies, with cover sheets.
private struct SheetPlaces {
    /// The number of sheets of one copy, with cover sheets.
    var sheets: Int
    /// The number of cover sheets that are printed before the copies.
    var before: Int
    /// The number of cover sheets that are printed after the copies.
    var after: Int
    var copies: Int
    var isCollated: Bool
    var isReversed: Bool

    private var body: Int { max(1, sheets - before - after) }
    /// The number of printed sheets.
    var total: Int { before + body * copies + after }

    /// Returns the place at which a sheet is first printed; sheets are in page order, and both count from 0.
    func place(ofSheet sheet: Int) -> Int {
        let place = isReversed ? sheets - 1 - sheet : sheet
        if place < before { return place }
        if place < before + body { return before + (place - before) * (isCollated ? 1 : copies) }
        return place + body * (copies - 1)
    }

    /// Returns the sheet that is printed at a place.
    func sheet(atPlace place: Int) -> Int {
        let own =
            if place < before {
                place
            } else if place < before + body * copies {
                before + (isCollated ? (place - before) % body : (place - before) / copies)
            } else {
                place - body * (copies - 1)
            }
        return isReversed ? sheets - 1 - own : own
    }
}

/// The order in which a printer received the sides of a job.
struct SentSides {
    var sides: Int
    var sidesPerSheet: Int
    var isReversed: Bool
    var isCollated: Bool
    var copies: Int
    /// The number of the side at which the job was resumed, from 1; nil if the job was printed from its first side.
    var first: Int?
    /// The number of pages that the printer received.
    var received: Int
    /// The number of cover sheets that are printed before the copies.
    var coversBefore = 0
    /// The number of cover sheets that are printed after the copies.
    var coversAfter = 0

    /// Returns the page number under which the printer received a side of the first copy; nil if the number is unknown.
    ///
    /// - Parameter side: The index of the side in page order, from 0.
    func number(ofSide side: Int) -> Int? {
        let omitted = first.map { ($0 - 1) / sidesPerSheet * sidesPerSheet } ?? 0
        // The printer makes the copies if it received one copy.
        let isWhole = received == sides - omitted
        let sheets = SheetPlaces(
            sheets: sides / sidesPerSheet, before: coversBefore, after: coversAfter,
            copies: isWhole ? 1 : max(1, copies), isCollated: isCollated, isReversed: isReversed)
        guard isWhole || received == sheets.total * sidesPerSheet - omitted else { return nil }
        let (sheet, face) = side.quotientAndRemainder(dividingBy: sidesPerSheet)
        let number = sheets.place(ofSheet: sheet) * sidesPerSheet + face + 1 - omitted
        return (1...max(1, received)).contains(number) ? number : nil
    }
}
