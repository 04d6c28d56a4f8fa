// UIKit's and Core Graphics' names for PrintKit and PrintGraphics, so that code from iOS compiles after `import UIKit`
// is replaced with `import PrintKitUIKitNames`.
//
// Values of PrintKit and PrintGraphics have aliases. Where UIKit has a class with a different behavior, such as
// `UIBezierPath` and `UIPrintInfo`, this module has a class. `FromUIKit` in the documentation lists every name, also
// the names that do not exist here, with the reason.

@_exported public import DocumentInteraction
@_exported public import Foundation
@_exported public import PrintKit

// Geometry. Foundation's types of the same names have no drawing functions.

/// A number of drawing, which hides Foundation's `CGFloat`.
public typealias CGFloat = Double
/// A position in points, which hides Foundation's `CGPoint`.
public typealias CGPoint = Point
/// A width and a height in points, which hides Foundation's `CGSize`.
public typealias CGSize = Size
/// A rectangle in points, which hides Foundation's `CGRect`.
public typealias CGRect = Rect
/// A transform of positions.
public typealias CGAffineTransform = PrintKit.AffineTransform
/// The distances from the four edges of a rectangle.
public typealias UIEdgeInsets = EdgeInsets
/// A set of corners of a rectangle.
public typealias UIRectCorner = RectCorners

// Core Foundation. Swift converts these types with `as` on iOS; here both types are the same.

/// A text, without a conversion.
public typealias CFString = String
/// A URL, without a conversion.
public typealias CFURL = URL
/// Bytes, without a conversion.
public typealias CFData = Data
/// An array, without a conversion.
public typealias CFArray = [Any]
/// A dictionary, without a conversion.
public typealias CFDictionary = [AnyHashable: Any]

// Drawing.

/// A context that draws.
public typealias CGContext = GraphicsContext
/// A color, the same value as a `UIColor`.
public typealias CGColor = Color
/// A sequence of colors.
public typealias CGGradient = Gradient
/// The ends beyond which a gradient continues.
public typealias CGGradientDrawingOptions = Gradient.Extension
/// The rule that combines a drawing with the content beneath it.
public typealias CGBlendMode = BlendMode
/// The shape of the ends of an open line.
public typealias CGLineCap = LineCap
/// The shape of the corner between two line segments.
public typealias CGLineJoin = LineJoin
/// The rule that decides which areas lie inside a path.
public typealias CGPathFillRule = FillRule
/// The ways to draw a path.
public typealias CGPathDrawingMode = PathDrawingMode
/// The way in which glyphs are drawn.
public typealias CGTextDrawingMode = TextDrawingMode
/// The handling of colors that a device cannot reproduce.
public typealias CGColorRenderingIntent = RenderingIntent
/// A color with an alpha.
public typealias UIColor = Color
/// An image with its scale and orientation.
public typealias UIImage = Image
/// A typeface in a size.
public typealias UIFont = Font

// Text.

/// The alignment of lines between the margins.
public typealias NSTextAlignment = TextAlignment
/// The handling of lines that are too long.
public typealias NSLineBreakMode = LineBreakMode

// Printing.

/// A paper with its printable area.
public typealias UIPrintPaper = PrintPaper
/// The base class of formatters, which lay out content over pages.
public typealias UIPrintFormatter = PrintFormatter
/// A formatter that lays out plain or attributed text.
public typealias UISimpleTextPrintFormatter = SimpleTextPrintFormatter
/// A formatter of HTML.
public typealias UIMarkupTextPrintFormatter = MarkupTextPrintFormatter
/// A formatter of a view's content.
public typealias UIViewPrintFormatter = ViewPrintFormatter
/// A printer with its destination, as a value instead of an object.
public typealias UIPrinter = Printer
/// An error of printing, with UIKit's codes.
public typealias UIPrintError = PrintError
/// A view of text that can be printed.
public typealias UITextView = TextView
/// A view of HTML that can be printed.
public typealias WKWebView = WebView

// Documents.

/// A controller that previews a document and opens it in applications.
public typealias UIDocumentInteractionController = DocumentInteractionController
/// The methods that a document interaction controller calls.
public typealias UIDocumentInteractionControllerDelegate = DocumentInteractionControllerDelegate
/// A controller that previews several items.
public typealias QLPreviewController = PreviewController
/// The source of the items of a preview.
public typealias QLPreviewControllerDataSource = PreviewControllerDataSource
/// The methods that a preview controller calls.
public typealias QLPreviewControllerDelegate = PreviewControllerDelegate
/// An item that can be previewed.
public typealias QLPreviewItem = PreviewItem
