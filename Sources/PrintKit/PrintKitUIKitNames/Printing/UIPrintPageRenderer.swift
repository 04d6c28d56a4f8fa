// The page renderer with UIKit's methods, which cannot throw.

public import Foundation
public import PrintKit

/// A renderer of pages, with UIKit's methods.
///
/// The methods do not throw. An error of a formatter or renderer is kept, and ends the job after the page.
open class UIPrintPageRenderer: PrintPageRenderer {
    private var ownPaperRect: CGRect?
    private var ownPrintableRect: CGRect?

    /// Creates a renderer without formatters.
    public override init() { super.init() }

    /// The rectangle of the whole page.
    open override var paperRect: CGRect { ownPaperRect ?? super.paperRect }

    /// The part of the page that can be printed on.
    open override var printableRect: CGRect { ownPrintableRect ?? (ownPaperRect ?? super.printableRect) }

    /// Sets `paperRect` or `printableRect`, as programs do on iOS to draw a PDF without a printer.
    ///
    /// - Parameters:
    ///   - value: A `CGRect`, or an `NSValue` with a rectangle; `nil` for the rectangle of the paper.
    ///   - key: `paperRect` or `printableRect`. Another key ends the program, as on iOS.
    public final func setValue(_ value: Any?, forKey key: String) {
        let rect = value as? CGRect ?? (value as? NSValue)?.cgRectValue
        precondition(rect != nil || value == nil, "the value of '\(key)' must be a rectangle")
        switch key {
        case "paperRect": ownPaperRect = rect
        case "printableRect": ownPrintableRect = rect
        default: preconditionFailure("a UIPrintPageRenderer has no settable key '\(key)'")
        }
    }

    /// Prepares the renderer for drawing pages.
    ///
    /// Subclasses override this method. The default does nothing.
    open func prepare(forDrawingPages range: NSRange) {}

    /// Calls the method with an `NSRange`.
    public final override func prepare(forDrawingPages range: Range<Int>) {
        prepare(forDrawingPages: NSRange(location: range.lowerBound, length: range.count))
    }

    /// Draws a page in the current context: header, content, formatters and footer.
    open override func drawPage(at pageIndex: Int, in printableRect: CGRect) {
        keepError { try super.drawPage(at: pageIndex, in: printableRect) }
    }

    /// Draws the header.
    ///
    /// Subclasses override this method. The default draws nothing.
    open override func drawHeaderForPage(at pageIndex: Int, in headerRect: CGRect) {}

    /// Draws content beneath the formatters.
    ///
    /// Subclasses override this method. The default draws nothing.
    open override func drawContentForPage(at pageIndex: Int, in contentRect: CGRect) {}

    /// Draws a formatter's part of a page.
    open override func drawPrintFormatter(_ printFormatter: UIPrintFormatter, forPageAt pageIndex: Int) {
        keepError { try super.drawPrintFormatter(printFormatter, forPageAt: pageIndex) }
    }

    /// Draws the footer.
    ///
    /// Subclasses override this method. The default draws nothing.
    open override func drawFooterForPage(at pageIndex: Int, in footerRect: CGRect) {}

    private func keepError(_ body: () throws -> Void) {
        do { try body() } catch { if drawingFailure == nil { drawingFailure = error } }
    }
}
