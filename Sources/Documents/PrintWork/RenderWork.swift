// Renders a prepared PDF for a printer with several workers in parallel.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import ProcessPools
import SafeFiles

/// The work that renders the pages of a prepared PDF in the printer's format.
///
/// Several workers render parts of the document in parallel, up to the number of processors.
///
/// The workers write to a new folder. The first part is written to the output file, and each other part to a separate
/// file, which is appended to the output file. At the end, the output file is moved beside the prepared PDF. If a worker crashes at a page or exceeds a time or memory limit, another worker
/// draws the page with another rendering method (`RenderingFallback`).
struct RenderWork: Sendable {
    let pool: WorkerPool
    var request: RenderRequest
    let progress: @Sendable (WorkProgress) -> Void

    /// Renders all pages of the request.
    func run() async throws(WorkError) -> RenderedDocument {
        // Each page may use its own time limit.
        WorkTime.current?.extend(by: Double(request.pages.count * pool.limits.pageSeconds), for: "pages")
        UnfinishedFiles.remove(of: [request.files[0]])
        let folder = try ConversionFolder(besides: request.files[0])
        defer { folder.remove() }
        var inner = self
        inner.request.folder = folder.path
        let document = try await inner.make()
        for (made, file) in zip(inner.request.files, request.files) {
            let name = made.dropFirst(folder.path.count + 1)
            guard try folder.move(String(name), to: file) else { throw WorkerPool.noOutput }
        }
        return document
    }

    /// Renders all pages in the folder of the request.
    private func make() async throws(WorkError) -> RenderedDocument {
        let attempts = AttemptBudget()
        let count = FinishedCount(progress)
        let parts = request.delivery.parts(
            of: request.pages, on: request.options.paper.media, workers: pool.concurrent)
        let made = try await pool.inParallel(parts) { part throws(WorkError) in
            try await make(part, attempts, count)
        }
        var document = made.first ?? RenderedDocument(bytes: 0)
        for (index, part) in made.enumerated().dropFirst() {
            if !isImages { try Self.move(partFile(parts[index]), toEndOf: request.files[0]) }
            document.bytes += part.bytes
            document.notices += part.notices
        }
        document.notices = Array(document.notices.prefix(WorkerLine.mostNotices))
        return document
    }

    /// Whether each page has a separate file.
    private var isImages: Bool { request.delivery.format == .jpeg }

    private func partFile(_ pages: ClosedRange<Int>) -> String { "\(request.files[0]).\(pages.lowerBound).partial" }

    /// Renders the pages of a part, and retries failed pages with other rendering methods.
    private func make(
        _ pages: ClosedRange<Int>, _ attempts: AttemptBudget, _ count: FinishedCount
    ) async throws(WorkError) -> RenderedDocument {
        var request = request
        if pages.lowerBound > request.pages.lowerBound, !isImages { request.partFile = partFile(pages) }
        request.pages = pages
        var notices: [String] = []
        while true {
            let record = PageRecord(of: request.pages)
            do throws(WorkError) {
                var document = try await pool.answer(to: request) { progress in
                    record.add(progress)
                    count.add(progress)
                }
                document.notices = notices + document.notices
                return document
            } catch {
                guard WorkTime.current?.remaining(of: Double(pool.limits.wallSeconds)) != 0 else { throw error }
                let page = try attempts.nextPage(
                    after: error, record, &request.fallbacks, requiresFidelity: request.requiresFidelity)
                notices += record.outcomes.compactMap(\.notice)
                request.offset = record.outcomes.last?.bytes ?? request.offset
                request.pages = page...pages.upperBound
            }
        }
    }

    /// Appends the file `part` to the file `file`, and deletes `part`.
    private static func move(_ part: String, toEndOf file: String) throws(WorkError) {
        func failure(_ error: SystemFailure) -> WorkError {
            WorkError(
                .writeFailed, "cannot write the pages for the printer; free some space on the spool's disk",
                detail: "'\(file)': \(error)")
        }
        let source = open(part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard source >= 0 else { throw failure(SystemFailure(errno)) }
        defer { close(source) }
        let target = open(file, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard target >= 0 else { throw failure(SystemFailure(errno)) }
        defer { close(target) }
        guard lseek(target, 0, SEEK_END) >= 0 else { throw failure(SystemFailure(errno)) }
        try FileBytes.copy(from: source, to: target) { error, _ in failure(error) }
        unlink(part)
    }
}

extension DeliveryFormat {
    /// Returns the page ranges of the parts.
    ///
    /// Each worker receives about two parts, because a new worker first has to get the memory of a page. In a short document, the number of parts is smaller, because the start of
    /// a worker takes longer than the time that a shorter part saves. In a long document, the number of parts is
    /// larger, so that no part exceeds the limits of a worker.
    func parts(of pages: ClosedRange<Int>, on media: Media, workers: Int) -> [ClosedRange<Int>] {
        guard let pixels else { return [] }
        let (width, height) = pixels.resolution.pixels(of: media)
        let pixelsPerPage = max(1, width * height)
        let fair = (pages.count - 1) / (workers * 2) + 1
        let length = min(
            max(fair, Self.fewestPixels / pixelsPerPage, 1), max(1, Self.maximumPixelCount / pixelsPerPage))
        return stride(from: pages.lowerBound, through: pages.upperBound, by: length).map {
            $0...min($0 + length - 1, pages.upperBound)
        }
    }

    /// The maximum number of pixels in a part: about 100 pages of A4 at 300 dpi.
    private static let maximumPixelCount = 1_000_000_000
    /// The minimum number of pixels in a part, except in the last part: about four pages of A4 at 300 dpi.
    private static let fewestPixels = 35_000_000
}
