// What can go wrong between drawing and a file.

/// Drawing was misused, an image or document could not be read, or a file could not be written.
public struct GraphicsError: Error, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: String, Sendable {
        /// Something was drawn, or a link was made, while no page was open.
        case noPage
        /// A PDF was closed that never had a page.
        case noPages
        /// The context had been closed before.
        case closed
        /// A size or a place is not a number, not finite, or not positive where it must be.
        case invalidGeometry
        /// A bitmap or image would have more pixels than allowed, or there is no memory for it.
        case tooLarge
        /// The file cannot be opened or read.
        case unreadable
        /// The bytes are of no format that is read here.
        case unsupportedFormat
        /// The bytes are of a known format, but damaged.
        case damaged
        /// A PDF wants a password, or another one.
        case passwordRequired
        /// A PDF page was drawn into pixels, and the context has no `pdfRasterizer`.
        case noRasterizer
        /// The file cannot be written.
        case writeFailed
        /// A library that is drawn with refused, which is a mistake in this module.
        case internalFailure
    }

    /// The kind of failure.
    public var code: Code
    /// What failed, on what, and what to do next, for people.
    public var message: String
    /// What the library or the system said, if anything.
    public var cause: String?

    /// The message, and the cause in parentheses.
    public var description: String { cause.map { "\(message) (\($0))" } ?? message }

    package init(_ code: Code, _ message: String, cause: String? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }
}

extension GraphicsError {
    static let noPage = GraphicsError(
        .noPage, "something was drawn while the PDF had no open page; call beginPage() before drawing")

    static let noPages = GraphicsError(
        .noPages, "the PDF has no page, so there is nothing to write; call beginPage() at least once")

    static let closed = GraphicsError(
        .closed, "the PDF was closed already; make a new context for another document")

    static func invalidSize(_ size: Size, of what: String) -> GraphicsError {
        GraphicsError(
            .invalidGeometry,
            "\(what) of \(size.width) × \(size.height) points is impossible;"
                + " give a finite width and height above 0")
    }

    static func tooLarge(_ what: String, width: Double, height: Double, limit: Int) -> GraphicsError {
        GraphicsError(
            .tooLarge,
            "\(what) would have \(whole(width)) × \(whole(height)) pixels, and \(limit) in all or"
                + " \(PixelBuffer.longestSide) side by side are allowed; choose a smaller one")
    }

    static func noMemory(_ what: String) -> GraphicsError {
        GraphicsError(.tooLarge, "there is no memory for \(what); choose a smaller one")
    }

    static func writeFailed(_ path: String, cause: String?) -> GraphicsError {
        GraphicsError(
            .writeFailed, "'\(path)' cannot be written; check its folder and the free space", cause: cause)
    }

    static func unreadable(_ path: String, cause: String?) -> GraphicsError {
        GraphicsError(.unreadable, "'\(path)' cannot be read; check its name and permissions", cause: cause)
    }

    static func refused(by library: String, cause: String) -> GraphicsError {
        GraphicsError(
            .internalFailure, "\(library) refused a drawing; what was drawn since is missing, please report it",
            cause: cause)
    }
}

/// A size may be anything, also what fits in no integer.
private func whole(_ pixels: Double) -> Int { pixels.isFinite ? Int(max(min(pixels, 1e15), -1e15)) : 0 }
