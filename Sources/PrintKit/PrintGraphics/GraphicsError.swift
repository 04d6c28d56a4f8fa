// The errors of drawing, reading and writing.

/// An error of drawing, of reading an image or document, or of writing a file.
public struct GraphicsError: Error, CustomStringConvertible {
    /// The kind of failure, for programs to compare.
    public enum Code: String, Sendable {
        /// A drawing or link was added while no page was open.
        case noPage
        /// A PDF without pages was closed.
        case noPages
        /// The context is already closed.
        case closed
        /// A size or position is not a finite number, or is not positive although a positive value is required.
        case invalidGeometry
        /// A bitmap or image exceeds the pixel limit, or its memory cannot be allocated.
        case tooLarge
        /// The file cannot be opened or read.
        case unreadable
        /// The data has an unsupported file format.
        case unsupportedFormat
        /// The data has a known format but is damaged.
        case damaged
        /// A PDF is encrypted, and the password is missing or wrong.
        case passwordRequired
        /// A PDF page was drawn into pixels, but the context has no `pdfRasterizer`.
        case noRasterizer
        /// The file cannot be written.
        case writeFailed
        /// An underlying library reported an error.
        ///
        /// This is a bug in PrintGraphics.
        case internalFailure
    }

    /// The kind of failure.
    public var code: Code
    /// A message for people: what failed, why, and what to do.
    public var message: String
    /// The error text of the library or the operating system, or `nil`.
    public var cause: String?

    /// The message, followed by the cause in parentheses.
    public var description: String { cause.map { "\(message) (\($0))" } ?? message }

    package init(_ code: Code, _ message: String, cause: String? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }
}

extension GraphicsError {
    static let noPage = GraphicsError(
        .noPage, "cannot draw: the PDF has no open page; call beginPage() first")

    static let noPages = GraphicsError(
        .noPages, "cannot write a PDF without pages; call beginPage() at least once")

    static let closed = GraphicsError(
        .closed, "the PDF is already closed; create a new context for another document")

    static func invalidSize(_ size: Size, of what: String) -> GraphicsError {
        GraphicsError(
            .invalidGeometry,
            "invalid size of \(what): \(size.width) × \(size.height) points;"
                + " the width and height must be finite and greater than 0")
    }

    static func tooLarge(_ what: String, width: Double, height: Double, limit: Int) -> GraphicsError {
        GraphicsError(
            .tooLarge,
            "\(what) would have \(whole(width)) × \(whole(height)) pixels; the limit is \(limit) pixels in total and"
                + " \(PixelBuffer.longestSide) per side")
    }

    static func noMemory(_ what: String) -> GraphicsError {
        GraphicsError(.tooLarge, "not enough memory for \(what); choose a smaller size")
    }

    static func writeFailed(_ path: String, cause: String?) -> GraphicsError {
        GraphicsError(
            .writeFailed, "cannot write '\(path)'; check its folder and the free space", cause: cause)
    }

    static func unreadable(_ path: String, cause: String?) -> GraphicsError {
        GraphicsError(.unreadable, "cannot read '\(path)'; check its name and permissions", cause: cause)
    }

    static func refused(by library: String, cause: String) -> GraphicsError {
        GraphicsError(
            .internalFailure, "\(library) reported an error; later drawings are missing. Please report this bug",
            cause: cause)
    }
}

/// Converts a pixel count for a message.
///
/// The count may exceed the range of `Int`.
private func whole(_ pixels: Double) -> Int { pixels.isFinite ? Int(max(min(pixels, 1e15), -1e15)) : 0 }
