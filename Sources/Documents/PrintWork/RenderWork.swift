// A prepared PDF as a printer's pixels, made by several workers side by side.

import FoundationEssentials
import Glibc
import PrintModel

/// Makes the pages of a prepared PDF into what a printer takes, in parts, as many at a time as there are processors.
///
/// The first part is written into the file for the printer; each other part has a file that is appended to it. A page at
/// which a worker crashes, or which takes too long, is made again in another way (`RenderingFallback`).
struct RenderWork: Sendable {
    let pool: WorkerPool
    let request: RenderRequest
    let progress: @Sendable (WorkProgress) -> Void

    /// Makes all pages of the request.
    func run() async throws(WorkError) -> RenderedDocument {
        let attempts = AttemptBudget()
        let count = FinishedCount(progress)
        let parts = request.delivery.parts(
            of: request.pages, on: request.options.paper.media, workers: pool.concurrent)
        defer { UnfinishedFiles.remove(of: request.files) }
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

    /// Whether each page has a file.
    private var isImages: Bool { request.delivery.format == .jpeg }

    private func partFile(_ pages: ClosedRange<Int>) -> String { "\(request.files[0]).\(pages.lowerBound).partial" }

    /// Makes some pages, as often as it takes to find a way for each of them.
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
                let page = try attempts.nextPage(
                    after: error, record, &request.detours, requiresFidelity: request.requiresFidelity)
                notices += record.outcomes.compactMap(\.notice)
                request.offset = record.outcomes.last?.bytes ?? request.offset
                request.pages = page...pages.upperBound
            }
        }
    }

    /// Appends a file to another one, and removes it.
    private static func move(_ part: String, toEndOf file: String) throws(WorkError) {
        func check(_ result: Int) throws(WorkError) {
            guard result >= 0 else {
                throw WorkError(
                    .writeFailed, "the pages for the printer cannot be written; make room on the disk of the spool",
                    detail: "'\(file)': \(String(cString: strerror(errno)))")
            }
        }
        let source = open(part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        try check(Int(source))
        defer { close(source) }
        let target = open(file, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        try check(Int(target))
        defer { close(target) }
        try check(Int(lseek(target, 0, SEEK_END)))
        var block = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let length = read(source, &block, block.count)
            if length < 0, errno == EINTR { continue }
            try check(length)
            if length == 0 { break }
            var written = 0
            while written < length {
                let count = block.withUnsafeBytes { write(target, $0.baseAddress! + written, length - written) }
                if count < 0, errno == EINTR { continue }
                try check(count)
                written += count
            }
        }
        unlink(part)
    }
}

extension DeliveryFormat {
    /// The parts in which pages are rendered: enough for all workers, none longer than a worker may take, and none so short
    /// that the start of a worker would be noticed.
    func parts(of pages: ClosedRange<Int>, on media: Media, workers: Int) -> [ClosedRange<Int>] {
        guard let pixels else { return [] }
        let (width, height) = pixels.resolution.pixels(of: media)
        let pixelsPerPage = max(1, width * height)
        let fair = (pages.count - 1) / (workers * 4) + 1
        let length = min(max(fair, Self.fewestPixels / pixelsPerPage, 1), max(1, Self.mostPixels / pixelsPerPage))
        return stride(from: pages.lowerBound, through: pages.upperBound, by: length).map {
            $0...min($0 + length - 1, pages.upperBound)
        }
    }

    /// The most pixels of a part: about a hundred pages of A4 at 300 dpi.
    private static let mostPixels = 1_000_000_000
    /// The fewest pixels of a part where there are more: about four pages of A4 at 300 dpi.
    private static let fewestPixels = 35_000_000
}
