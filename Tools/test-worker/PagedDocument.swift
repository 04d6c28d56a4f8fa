// Simulates documents whose pages fail in specified ways.

import FoundationEssentials
import Glibc
import PrintModel

/// A document of lines that specify the number of pages, and the faults of some pages.
///
///     pages 40
///     usual 7 burn
///     other 7 crash
///
/// Page 7 keeps the processor busy when the first renderer draws the page, and crashes the second renderer.
struct PagedDocument {
    let pageCount: Int
    private let orders: [(way: String, page: Int, order: String)]

    /// Reads a document; returns nil if it is not a document of pages.
    init?(path: String) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.hasPrefix("pages ") else {
            return nil
        }
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        pageCount = Int(lines[0][1]) ?? 0
        orders = lines.dropFirst().map { ($0[0], Int($0[1]) ?? 0, $0[2]) }
    }

    /// Executes the command for a page, and returns the notice of the page.
    func make(_ page: Int, by fallback: RenderingFallback?) -> String? {
        let way =
            switch fallback?.way {
            case nil: "usual"
            case .otherRenderer: "other"
            case .notice: "notice"
            }
        for order in orders where order.page == page && order.way == way {
            switch order.order {
            case "burn": while true {}
            case "sleep": while true { pause() }
            case "crash": abort()
            case "eat": Hunger.eat()
            default: break
            }
        }
        return fallback?.notice(of: "page \(page)")
    }
}

extension ObedientWorker {
    /// Makes page images whose width is the number of this process.
    func rasterize(
        _ pages: PagedDocument, _ request: RasterizeRequest, _ progress: (WorkProgress) -> Void
    ) -> RasterizedDocument {
        var document = RasterizedDocument(
            pages: [], documentPages: [pages.pageCount], impressions: pages.pageCount, sheets: pages.pageCount,
            notices: ["the document was repaired"])
        guard case .images(let images) = request.part else {
            let file = request.outputFolder + "/sheets.txt"
            try? "\(request.part)".write(toFile: file, atomically: false, encoding: .utf8)
            return document
        }
        progress(WorkProgress(page: images.lowerBound - 1, total: pages.pageCount))
        for number in images where number <= pages.pageCount {
            let notice = pages.make(number, by: request.fallbacks[number])
            let image = PageImage(page: number, file: "page-\(number).png", width: Int(getpid()), height: 1)
            document.pages.append(image)
            if let notice { document.notices.append(notice) }
            progress(
                WorkProgress(
                    page: number, total: pages.pageCount, outcome: PageOutcome(image: image, notice: notice)))
        }
        return document
    }

    /// Writes a line for each page.
    func render(
        _ pages: PagedDocument, _ request: RenderRequest, _ progress: (WorkProgress) -> Void
    ) -> RenderedDocument {
        let path = request.partFile ?? request.files[0]
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        ftruncate(file, off_t(request.offset))
        var length = Int(lseek(file, 0, SEEK_END))
        var notices: [String] = []
        progress(WorkProgress(page: request.pages.lowerBound - 1, total: request.pageCount))
        for number in request.pages {
            let line = "page \(number) by \(getpid())\n"
            // The partial output of a failed page is overwritten.
            write(file, "half of ", 8)
            let notice = pages.make(number, by: request.fallbacks[number])
            lseek(file, off_t(length), SEEK_SET)
            length += write(file, line, line.utf8.count)
            if let notice { notices.append(notice) }
            progress(
                WorkProgress(
                    page: number, total: request.pageCount, outcome: PageOutcome(bytes: length, notice: notice)))
        }
        close(file)
        return RenderedDocument(bytes: length, notices: notices)
    }
}
