// A view of HTML.

import FoundationEssentials

/// An HTML document that prints itself (`WKWebView`, `UIWebView`).
///
///     let view = try WebView(contentsOfFile: "report/index.html")
///     controller.printFormatter = view.viewPrintFormatter()
///
/// Its formatter lays the document out for the paper, page by page, as `MarkupTextPrintFormatter` does; drawn as a view it is
/// one sheet as high as its content. It is used from one isolation domain at a time.
public final class WebView: PrintableView, HTMLLaying {
    /// The document.
    public var html: String {
        get { content.markup }
        set { content.markup = newValue }
    }

    /// Its base folder, whether it may use the network, and its limits: `view.allowsNetwork = true`.
    public var settings: HTMLSettings {
        get { content.settings }
        set { content.settings = newValue }
    }

    /// Why the document could not be drawn as a view, if it could not; formatters keep their own `layoutFailure`.
    public private(set) var failure: PrintError?

    fileprivate var content: HTMLContent { didSet { sheet = nil } }
    private var sheet: (width: Double, document: HTMLDocument?)?

    /// The greatest height of a sheet, in points; what is higher goes on the next, right below.
    private static let tallest = 50_000.0

    /// A view of a document or a part of one (`loadHTMLString(_:baseURL:)`).
    public init(html: String, baseFolder: String? = nil) {
        content = HTMLContent(markup: html)
        content.settings.baseFolder = baseFolder
    }

    /// A view of an HTML file in UTF-8, whose folder is the base folder (`loadFileURL(_:allowingReadAccessTo:)`).
    ///
    /// - Throws: `PrintError.jobFailed` when it cannot be read.
    public convenience init(contentsOfFile path: String) throws(PrintError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw PrintError(.jobFailed, "'\(path)' cannot be read; check its name and its permissions")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        self.init(html: String(decoding: data, as: UTF8.self), baseFolder: folder)
    }

    /// How far down the content reaches; 0 when it cannot be laid out, which `failure` explains.
    public func height(forWidth width: Double) -> Double {
        guard let document = document(forWidth: width) else { return 0 }
        return (0..<document.pageCount - 1).reduce(document.lastPageHeight) { $0 + document.size(of: $1).height }
    }

    /// Draws the sheet.
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

    /// A formatter that lays the document out for its pages.
    public func viewPrintFormatter() -> ViewPrintFormatter { WebViewPrintFormatter(webView: self) }

    private func document(forWidth width: Double) -> HTMLDocument? {
        if let sheet, sheet.width == width { return sheet.document }
        var document: HTMLDocument?
        failure = nil
        if !content.isEmpty {
            do throws(PrintError) {
                let first = try content.pages(other: Size(width: width, height: Self.tallest))
                let fits = first.pageCount == 1 && first.lastPageHeight >= 1
                let exact = Size(width: width, height: first.lastPageHeight.rounded(.up) + 1)
                document = fits ? try content.pages(other: exact) : first
            } catch {
                failure = error
            }
        }
        sheet = (width, document)
        return document
    }
}

/// Lays a web view's document out over pages.
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

    override func rectForPage(at index: Int) -> Rect {
        guard hasPage(at: index), let flow else { return Rect(origin: pages.area(at: index).origin, size: .zero) }
        return flow.rect(forPageAt: index)
    }

    override func draw(in rect: Rect, forPageAt index: Int) throws {
        guard hasPage(at: index) else { return }
        flow?.draw(at: rect.origin, forPageAt: index)
    }
}
