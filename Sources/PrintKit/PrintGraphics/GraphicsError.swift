// The errors of drawing, reading and writing.

import SafeFiles

/// An error that occurs while a program draws, reads an image or document, or writes a file.
public struct GraphicsError: Error, CustomStringConvertible {
    /// The kind of failure, for programs to compare.
    public enum Code: String, Sendable {
        /// An error for a drawing or link that was added while no page was open.
        case noPage
        /// An error for closing a PDF without pages.
        case noPages
        /// An error for a context that is already closed.
        case closed
        /// An error for a size or position that is not a finite number, or is not positive although a positive value is
        /// required.
        case invalidGeometry
        /// An error for a bitmap or image that exceeds the pixel limit, or whose memory cannot be allocated.
        case tooLarge
        /// An error for a file that cannot be opened or read.
        case unreadable
        /// An error for data in an unsupported file format.
        case unsupportedFormat
        /// An error for damaged data in a known format.
        case damaged
        /// An error for an encrypted PDF whose password is missing or wrong.
        case passwordRequired
        /// An error for drawing a PDF page into pixels in a context without a `pdfRasterizer`.
        case noRasterizer
        /// An error for a document whose content or settings its standard does not allow (`PDFConformance`).
        case nonconforming
        /// An error for a file that cannot be written.
        case writeFailed
        /// An error that an underlying library reported.
        ///
        /// The error is a bug in PrintGraphics.
        case internalFailure
    }

    /// The kind of failure, for programs.
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

/// Converts a pixel count to an integer for a message.
///
/// The count can exceed the range of `Int`.
private func whole(_ pixels: Double) -> Int { pixels.isFinite ? Int(max(min(pixels, 1e15), -1e15)) : 0 }

extension AtomicFile where Failure == GraphicsError {
    /// Creates the temporary file.
    ///
    /// The umask of the process determines who can read the file.
    ///
    /// - Throws: `writeFailed`.
    convenience init(path: String) throws(GraphicsError) {
        try self.init(path: path, mode: 0o666) {
            .writeFailed(path, cause: $0.description)
        }
    }
}
