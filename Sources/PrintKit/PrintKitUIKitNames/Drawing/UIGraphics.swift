// UIKit's functions for the current context, PDF contexts and image contexts.

public import Foundation
public import PrintKit

/// Returns the current context; `nil` if there is none.
public func UIGraphicsGetCurrentContext() -> CGContext? { GraphicsContext.current }

/// Makes a context the current context.
public func UIGraphicsPushContext(_ context: CGContext) { GraphicsContext.push(context) }

/// Makes the previous context the current context.
public func UIGraphicsPopContext() { GraphicsContext.pop() }

// MARK: PDF contexts

/// The end of the documents that the functions of UIKit began, in the order of the current contexts.
private final class OpenDocument {
    let context: PDFContext
    let data: NSMutableData?

    init(_ context: PDFContext, data: NSMutableData?) { (self.context, self.data) = (context, data) }

    static let key = "PrintKitUIKitNames.OpenDocument"

    /// The documents of this thread, whose contexts are the current contexts of this thread.
    static var ofThisThread: [OpenDocument] {
        get { Thread.current.threadDictionary[key] as? [OpenDocument] ?? [] }
        set { Thread.current.threadDictionary[key] = newValue }
    }

    /// The open document whose context is the current context.
    static var current: PDFContext? { GraphicsContext.current as? PDFContext }

    static func begin(_ make: () throws -> PDFContext, data: NSMutableData?) -> Bool {
        do {
            let context = try make()
            ofThisThread.append(OpenDocument(context, data: data))
            GraphicsContext.push(context)
            return true
        } catch {
            report(error)
            return false
        }
    }
}

/// Writes an error that a function of UIKit cannot return to standard error.
func report(_ error: any Error) {
    FileHandle.standardError.write(Data("\(CommandLine.arguments.first ?? "program"): \(error)\n".utf8))
}

/// Begins a PDF file, and makes its context the current context.
///
/// - Parameters:
///   - path: The path of the file, which appears at the end of the document.
///   - bounds: The default bounds of pages; an empty rectangle means 612 × 792 points.
///   - documentInfo: Values for `kCGPDFContextTitle` and similar keys.
/// - Returns: False if no file can be created; the reason is written to standard error.
@discardableResult
public func UIGraphicsBeginPDFContextToFile(
    _ path: String, _ bounds: CGRect, _ documentInfo: [AnyHashable: Any]?
) -> Bool {
    OpenDocument.begin(
        { try PDFContext(path: path, bounds: bounds, info: DocumentInfo(uiKit: documentInfo ?? [:])) }, data: nil)
}

/// Begins a PDF in memory, and makes its context the current context.
///
/// - Parameter data: The object that receives the PDF at the end of the document.
public func UIGraphicsBeginPDFContextToData(
    _ data: NSMutableData, _ bounds: CGRect, _ documentInfo: [AnyHashable: Any]?
) {
    _ = OpenDocument.begin(
        { try PDFContext(bounds: bounds, info: DocumentInfo(uiKit: documentInfo ?? [:])) }, data: data)
}

/// Begins a page with the default bounds.
public func UIGraphicsBeginPDFPage() { OpenDocument.current?.beginPage() }

/// Begins a page.
///
/// - Parameters:
///   - bounds: The bounds of the page; an empty rectangle means 612 × 792 points.
///   - pageInfo: Values for `kCGPDFContextCropBox` and similar keys.
public func UIGraphicsBeginPDFPageWithInfo(_ bounds: CGRect, _ pageInfo: [AnyHashable: Any]?) {
    OpenDocument.current?.beginPage(bounds: bounds, boxes: PageBoxes(uiKit: pageInfo ?? [:]))
}

/// Returns the bounds of the open page.
public func UIGraphicsGetPDFContextBounds() -> CGRect { OpenDocument.current?.pageBounds ?? .zero }

/// Ends the document, and makes the previous context the current context.
///
/// An error is written to standard error; the file then does not appear, and the data stays empty.
public func UIGraphicsEndPDFContext() {
    guard let document = OpenDocument.ofThisThread.popLast() else { return }
    GraphicsContext.pop()
    do {
        if let data = document.data {
            data.append(try document.context.closedData())
        } else {
            try document.context.close()
        }
    } catch {
        report(error)
    }
}

/// Links a rectangle of the page to a URL.
public func UIGraphicsSetPDFContextURLForRect(_ url: URL, _ rect: CGRect) {
    OpenDocument.current?.setURL(url, for: rect)
}

/// Adds a named destination at a point of the page.
public func UIGraphicsAddPDFContextDestinationAtPoint(_ name: String, _ point: CGPoint) {
    OpenDocument.current?.addDestination(name, at: point)
}

/// Links a rectangle of the page to a named destination.
public func UIGraphicsSetPDFContextDestinationForRect(_ name: String, _ rect: CGRect) {
    OpenDocument.current?.setDestination(name, for: rect)
}

// MARK: Image contexts

/// Begins an image with one pixel per point, and makes its context the current context.
public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }

/// The contexts of this thread's images, whose ends are still to come.
private enum OpenImages {
    static let key = "PrintKitUIKitNames.OpenImages"

    static var ofThisThread: [GraphicsContext] {
        get { Thread.current.threadDictionary[key] as? [GraphicsContext] ?? [] }
        set { Thread.current.threadDictionary[key] = newValue }
    }
}

/// Begins an image, and makes its context the current context.
///
/// If the size is not positive or the image is too large, the reason is written to standard error, and all drawing until
/// the end of the image is omitted.
///
/// - Parameter scale: The number of pixels per point; 0 stands for 2.
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    let context: GraphicsContext
    do {
        context = try BitmapContext(size: size, isOpaque: opaque, scale: scale)
    } catch {
        report(error)
        // A document without a page ignores all drawing.
        guard let document = try? PDFContext() else { return }
        context = document
    }
    OpenImages.ofThisThread.append(context)
    GraphicsContext.push(context)
}

/// Returns the drawing of the current image context; `nil` if an error occurred, which is written to standard error.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
    guard let context = GraphicsContext.current as? BitmapContext else { return nil }
    do {
        return try context.makeImage()
    } catch {
        report(error)
        return nil
    }
}

/// Makes the context before the image the current context.
public func UIGraphicsEndImageContext() {
    if OpenImages.ofThisThread.popLast() != nil { GraphicsContext.pop() }
}

// MARK: Rectangles

/// Fills a rectangle with the fill color.
public func UIRectFill(_ rect: CGRect) { GraphicsContext.current?.fill(rect) }

/// Fills a rectangle in a blend mode.
public func UIRectFillUsingBlendMode(_ rect: CGRect, _ mode: CGBlendMode) {
    UIBezierPath(rect: rect).fill(with: mode, alpha: GraphicsContext.current?.alpha ?? 1)
}

/// Draws a frame of one point inside a rectangle, in the fill color.
public func UIRectFrame(_ rect: CGRect) { GraphicsContext.current?.fillFrame(of: rect) }

/// Limits drawing to a rectangle.
public func UIRectClip(_ rect: CGRect) { GraphicsContext.current?.clip(to: rect) }

// MARK: Keys

/// The key of the title of a document.
public let kCGPDFContextTitle = "kCGPDFContextTitle"
/// The key of the author of a document.
public let kCGPDFContextAuthor = "kCGPDFContextAuthor"
/// The key of the subject of a document.
public let kCGPDFContextSubject = "kCGPDFContextSubject"
/// The key of the keywords of a document: a text or an array of texts.
public let kCGPDFContextKeywords = "kCGPDFContextKeywords"
/// The key of the application that created a document.
public let kCGPDFContextCreator = "kCGPDFContextCreator"
/// The key of the password that grants all permissions.
public let kCGPDFContextOwnerPassword = "kCGPDFContextOwnerPassword"
/// The key of the password that opens a document.
public let kCGPDFContextUserPassword = "kCGPDFContextUserPassword"
/// The key of the permission to print, a Boolean.
public let kCGPDFContextAllowsPrinting = "kCGPDFContextAllowsPrinting"
/// The key of the permission to copy, a Boolean.
public let kCGPDFContextAllowsCopying = "kCGPDFContextAllowsCopying"
/// The key of the part of a page that PDF readers show, a `CGRect`.
public let kCGPDFContextCropBox = "kCGPDFContextCropBox"
/// The key of the part of a page that is printed before the paper is trimmed, a `CGRect`.
public let kCGPDFContextBleedBox = "kCGPDFContextBleedBox"
/// The key of the part of a page that remains after the paper is trimmed, a `CGRect`.
public let kCGPDFContextTrimBox = "kCGPDFContextTrimBox"
/// The key of the part of a page with the meaningful content, a `CGRect`.
public let kCGPDFContextArtBox = "kCGPDFContextArtBox"

extension DocumentInfo {
    init(uiKit values: [AnyHashable: Any]) {
        func text(_ key: String) -> String? { values[key] as? String }
        let words = values[kCGPDFContextKeywords]
        self.init(
            title: text(kCGPDFContextTitle), author: text(kCGPDFContextAuthor), subject: text(kCGPDFContextSubject),
            keywords: words as? [String] ?? (words as? String).map { [$0] } ?? [],
            creator: text(kCGPDFContextCreator), ownerPassword: text(kCGPDFContextOwnerPassword),
            userPassword: text(kCGPDFContextUserPassword))
        if values[kCGPDFContextAllowsPrinting] as? Bool == false {
            permissions.subtract([.printing, .highQualityPrinting])
        }
        if values[kCGPDFContextAllowsCopying] as? Bool == false { permissions.subtract(.copying) }
    }
}

extension PageBoxes {
    init(uiKit values: [AnyHashable: Any]) {
        func box(_ key: String) -> CGRect? { values[key] as? CGRect ?? (values[key] as? NSValue)?.cgRectValue }
        self.init(
            crop: box(kCGPDFContextCropBox), bleed: box(kCGPDFContextBleedBox), trim: box(kCGPDFContextTrimBox),
            art: box(kCGPDFContextArtBox))
    }
}
