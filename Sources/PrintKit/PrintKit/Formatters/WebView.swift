// A view that shows and prints HTML.

import FoundationEssentials

/// An HTML document that can be printed (`WKWebView`, `UIWebView`).
///
///     let view = try WebView(contentsOfFile: "report/index.html")
///     controller.printFormatter = view.viewPrintFormatter()
///
/// The formatter of the view lays out the document for the pages of the paper, as `MarkupTextPrintFormatter` does. A
/// document that is drawn as a view has no page breaks, and has the height of its content. A web view is used from one
/// isolation domain at a time.
public final class WebView: PrintableView, HTMLLaying {
    /// The HTML document of the view.
    public var html: String {
        get { content.markup }
        set { content.markup = newValue }
    }

    /// The base folder, the network access and the limits.
    ///
    /// Each setting is also a property of the view: `view.allowsNetwork = true`.
    public var settings: HTMLSettings {
        get { content.settings }
        set { content.settings = newValue }
    }

    /// The error that prevented the document from being drawn as a view, or `nil`.
    ///
    /// Formatters have a separate `layoutFailure`.
    public private(set) var failure: PrintError?

    fileprivate var content: HTMLContent {
        didSet {
            sheet = nil
            version += 1
        }
    }
    private var sheet: (width: Double, document: HTMLDocument?)?
    /// Increases with each change of the content.
    private var version = 0

    /// The maximum height, in points, of a layout page when the document is drawn as a view.
    ///
    /// Taller content continues on a second page of the layout. The view draws the second page directly below the first
    /// page.
    private static let tallest = 50_000.0

    /// Creates a view of an HTML document or fragment (`loadHTMLString(_:baseURL:)`).
    public init(html: String, baseFolder: String? = nil) {
        content = HTMLContent(markup: html)
        content.settings.baseFolder = baseFolder
    }

    /// Creates a view of an HTML file in UTF-8.
    ///
    /// The file's folder becomes the base folder (`loadFileURL(_:allowingReadAccessTo:)`).
    ///
    /// - Throws: `PrintError.jobFailed` when the file cannot be read.
    public convenience init(contentsOfFile path: String) throws(PrintError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw PrintError(.jobFailed, "cannot read '\(path)'; check its name and its permissions")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        self.init(html: String(decoding: data, as: UTF8.self), baseFolder: folder)
    }

    /// Lays out the document as a view of a width in points, without blocking the thread.
    ///
    /// `height(forWidth:)` and `draw(in:visible:)` then use this layout. Without this call, they lay out the document
    /// themselves, which blocks the thread until the HTML engine has answered. The formatter of the view has its own
    /// layout. An error is stored in `failure`.
    public nonisolated(nonsending) func prepareLayout(forWidth width: Double) async {
        if let sheet, sheet.width == width { return }
        let version = version
        let result: Result<HTMLDocument?, PrintError>
        do throws(PrintError) {
            var document = content.isEmpty ? nil : try await content.pages(Self.tallest(width))
            if let exact = Self.exact(document, width) { document = try await content.pages(exact) }
            result = .success(document)
        } catch {
            result = .failure(error)
        }
        if version == self.version { keep(result, width) }
    }

    /// Returns the height of the content.
    ///
    /// If the layout fails, the method returns 0 and stores the error in `failure`.
    public func height(forWidth width: Double) -> Double {
        guard let document = document(forWidth: width) else { return 0 }
        return (0..<document.pageCount - 1).reduce(document.lastPageHeight) { $0 + document.size(of: $1).height }
    }

    /// Draws the document without page breaks.
    public func draw(in bounds: Rect, visible: Rect) {
        guard let document = document(forWidth: bounds.width) else { return }
        var top = bounds.minY
        for number in 0..<document.pageCount {
            let height = document.size(of: number).height
            if top < visible.maxY, top + height > visible.minY {
                document.draw(number, at: Point(x: bounds.minX, y: top), visible: visible)
            }
            top += height
        }
    }

    /// Returns a formatter that lays out the document for the pages of the paper.
    public func viewPrintFormatter() -> ViewPrintFormatter { WebViewPrintFormatter(webView: self) }

    private func document(forWidth width: Double) -> HTMLDocument? {
        if let sheet, sheet.width == width { return sheet.document }
        do throws(PrintError) {
            var document = content.isEmpty ? nil : try content.pages(Self.tallest(width))
            if let exact = Self.exact(document, width) { document = try content.pages(exact) }
            return keep(.success(document), width)
        } catch {
            return keep(.failure(error), width)
        }
    }

    @discardableResult
    private func keep(_ result: Result<HTMLDocument?, PrintError>, _ width: Double) -> HTMLDocument? {
        let document = try? result.get()
        failure = if case .failure(let error) = result { error } else { nil }
        sheet = (width, document)
        return document
    }

    private static func tallest(_ width: Double) -> HTMLContent.Sizes {
        .init(other: Size(width: width, height: tallest))
    }

    /// Returns the size of a page that has the height of a layout's content; `nil` if the layout remains as it is.
    private static func exact(_ document: HTMLDocument?, _ width: Double) -> HTMLContent.Sizes? {
        guard let document, document.pageCount == 1, document.lastPageHeight >= 1 else { return nil }
        return .init(other: Size(width: width, height: document.lastPageHeight.rounded(.up) + 1))
    }
}

final class WebViewPrintFormatter: ViewPrintFormatter {
    private let webView: WebView
    private var flow: HTMLFlow?

    init(webView: WebView) {
        self.webView = webView
        super.init(view: webView)
    }

    override func layOut(on pages: FormatterPages) throws -> Int {
        flow = nil
        flow = try HTMLFlow(webView.content, on: pages, within: printPageRenderer?.drawingTime)
        return flow?.pageCount ?? 0
    }

    override nonisolated(nonsending) func prepareLayout(on pages: FormatterPages) async throws -> Int {
        flow = nil
        flow = try await HTMLFlow.prepared(webView.content, on: pages, within: printPageRenderer?.drawingTime)
        return flow?.pageCount ?? 0
    }

    override func rectForPage(at index: Int) -> Rect {
        guard hasPage(at: index), let flow else { return Rect(origin: pages.area(at: index).origin, size: .zero) }
        return flow.rect(forPageAt: index)
    }

    override func draw(in rect: Rect, forPageAt index: Int) throws {
        guard hasPage(at: index) else { return }
        flow?.draw(at: rect.origin, forPageAt: index)
    }
}
