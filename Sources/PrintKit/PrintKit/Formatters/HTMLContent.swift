// HTML content, its settings, and its laid-out pages.

import FoundationEssentials
import Glibc
import PrintModel
import HTMLLayout

struct HTMLContent {
    var markup: String
    var settings = HTMLSettings()

    /// Whether the HTML consists only of white space.
    var isEmpty: Bool { markup.allSatisfy(\.isWhitespace) }

    /// The sizes of the pages.
    struct Sizes {
        /// The size of the first page in points; `nil` if all pages have the size `other`.
        var first: Size?
        /// The size of all other pages in points.
        var other: Size
    }

    /// Lays out the HTML in another process.
    ///
    /// The method blocks until the layout is finished or the time limit has passed.
    ///
    /// - Parameter time: The time limit for drawing the job; `nil` for no limit.
    /// - Throws: `PrintError.jobFailed`.
    func pages(_ sizes: Sizes, within time: DrawingTime? = nil) throws(PrintError) -> HTMLDocument {
        let limits = try limits(within: time)
        do throws(WorkError) {
            return try HTMLDocument(
                HTMLEngine.shared.layOut(
                    markup, baseFolder: settings.baseFolder, firstPageSize: sizes.first, pageSize: sizes.other,
                    allowsNetwork: settings.allowsNetwork, allowsPrivateNetworks: settings.allowsPrivateNetworks,
                    limits: limits))
        } catch {
            throw failure(error, limits, time)
        }
    }

    /// Lays out the HTML in another process, and blocks no thread.
    nonisolated(nonsending) func pages(
        _ sizes: Sizes, within time: DrawingTime? = nil
    ) async throws(PrintError) -> HTMLDocument {
        let limits = try limits(within: time)
        do throws(WorkError) {
            return try HTMLDocument(
                await HTMLEngine.shared.layOut(
                    markup, baseFolder: settings.baseFolder, firstPageSize: sizes.first, pageSize: sizes.other,
                    allowsNetwork: settings.allowsNetwork, allowsPrivateNetworks: settings.allowsPrivateNetworks,
                    limits: limits))
        } catch {
            throw failure(error, limits, time)
        }
    }

    private func limits(within time: DrawingTime?) throws(PrintError) -> HTMLLimits {
        try time?.check()
        var limits = settings.limits
        let remaining = time.map { $0.remaining / .seconds(1) } ?? .infinity
        limits.wallSeconds = min(limits.wallSeconds, max(0, remaining))
        return limits
    }

    private func failure(_ error: WorkError, _ limits: HTMLLimits, _ time: DrawingTime?) -> PrintError {
        if error.code == .timeExceeded, let time, limits.wallSeconds < settings.limits.wallSeconds {
            return .drawingTooSlow(time.limit)
        }
        return PrintError(.jobFailed, error.message, cause: error.detail.map { HTMLDetail(text: $0) })
    }
}

private struct HTMLDetail: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
}

/// The laid-out pages of an HTML document.
///
/// The pages are stored in memory. A context that has drawn the pages keeps them until the context no longer needs
/// them.
final class HTMLDocument {
    let pageCount: Int
    /// The position of the bottom of the content on the last page, in points.
    let lastPageHeight: Double
    /// Descriptions of the parts that the layout omits.
    let notes: [String]
    private let file: PDFFile
    private let links: HTMLLinks

    init(_ pages: HTMLPages) throws(WorkError) {
        (lastPageHeight, notes) = (pages.lastPageHeight, pages.notes)
        links = HTMLLinks(pages)
        do throws(GraphicsError) {
            file = try PDFFile(data: pages.pdf)
        } catch {
            if error.code == .writeFailed { throw WorkError(.writeFailed, error.message, detail: error.cause) }
            throw WorkError(
                .workerCrashed, "the HTML engine did not create a readable PDF; run 'scripts/setup documents'")
        }
        pageCount = file.pageCount
    }

    /// Draws the page with the given index (from 0), with its upper left corner at a point.
    ///
    /// After the last page, the method draws nothing.
    ///
    /// In a PDF, the visible links of the page become links of the PDF.
    func draw(_ number: Int, at origin: Point, visible: Rect? = nil) {
        guard let page = file.page(at: number) else { return }
        guard let pdf = GraphicsContext.current as? PDFContext else { return page.draw(at: origin) }
        pdf.withTag(.block) { page.draw(at: origin) }
        links.add(ofPage: number, to: pdf, at: origin, visible)
    }

    func size(of number: Int) -> Size { file.page(at: number)?.size ?? .zero }
}

struct HTMLFlow {
    private let document: HTMLDocument
    private let pages: FormatterPages
    /// The number of the formatter's pages before the first page of the HTML layout: 1 if the top inset leaves no space
    /// on the formatter's first page, otherwise 0.
    private let lead: Int

    /// Lays out the content in a formatter's areas.
    ///
    /// Returns `nil` if there is no content.
    init?(_ content: HTMLContent, on pages: FormatterPages, within time: DrawingTime?) throws(PrintError) {
        if content.isEmpty { return nil }
        let sizes = try Self.sizes(of: pages)
        self.init(try content.pages(sizes, within: time), sizes, pages)
    }

    /// Lays out the content in a formatter's areas, and blocks no thread.
    ///
    /// Returns `nil` if there is no content.
    static nonisolated(nonsending) func prepared(
        _ content: HTMLContent, on pages: FormatterPages, within time: DrawingTime?
    ) async throws(PrintError) -> HTMLFlow? {
        if content.isEmpty { return nil }
        let sizes = try Self.sizes(of: pages)
        return HTMLFlow(try await content.pages(sizes, within: time), sizes, pages)
    }

    private init(_ document: HTMLDocument, _ sizes: HTMLContent.Sizes, _ pages: FormatterPages) {
        (self.document, self.pages) = (document, pages)
        lead = sizes.first == nil ? 1 : 0
    }

    private static func sizes(of pages: FormatterPages) throws(PrintError) -> HTMLContent.Sizes {
        let (first, other) = (pages.area(at: pages.startPage), pages.area(at: pages.startPage + 1))
        guard other.width >= 1, other.height >= 1 else {
            throw .noRoom(for: "HTML", in: other, page: pages.startPage + 1)
        }
        return HTMLContent.Sizes(first: first.height < 1 ? nil : first.size, other: other.size)
    }

    var pageCount: Int { lead + document.pageCount }
    var notes: [String] { document.notes }

    /// Returns the part of a page's area that the content covers.
    ///
    /// The last page can be partly empty.
    func rect(forPageAt index: Int) -> Rect {
        let area = pages.area(at: index)
        let number = index - pages.startPage - lead
        guard (0..<document.pageCount).contains(number) else { return Rect(origin: area.origin, size: .zero) }
        let isLast = number == document.pageCount - 1
        let height = isLast ? min(area.height, document.lastPageHeight) : area.height
        return Rect(origin: area.origin, size: Size(width: area.width, height: height))
    }

    func draw(at origin: Point, forPageAt index: Int) {
        document.draw(index - pages.startPage - lead, at: origin)
    }
}
