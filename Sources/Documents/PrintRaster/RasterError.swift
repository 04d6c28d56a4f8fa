// What can go wrong between a PDF and its pixels.

/// A PDF could not be opened or drawn, or an image could not be read or written.
public struct RasterError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: String, Sendable {
        /// The file is missing, damaged, or not what it should be.
        case unreadable
        /// The document wants a password, or another one.
        case encrypted
        /// The document has no pages.
        case empty
        /// The page would have more pixels than allowed.
        case tooLarge
        /// The image could not be written.
        case writeFailed
    }

    /// The kind of failure.
    public var code: Code
    /// What failed, on what, and what to do next, for people.
    public var message: String
    /// What the library or the system said, if anything.
    public var cause: String?

    /// The message, and the cause in parentheses.
    public var description: String {
        cause.map { "\(message) (\($0))" } ?? message
    }
}

extension RasterError {
    // `document` is what people call the document: `'report.pdf'`, `the document`.

    static func unreadable(_ document: String, cause: String?) -> RasterError {
        RasterError(
            code: .unreadable, message: "\(document) cannot be read as a PDF; check that it opens in another viewer",
            cause: cause)
    }

    static func encrypted(_ document: String, password: String?) -> RasterError {
        let message =
            password == nil
            ? "\(document) is encrypted; give its password" : "the password given does not open \(document)"
        return RasterError(code: .encrypted, message: message, cause: nil)
    }

    static func empty(_ document: String) -> RasterError {
        RasterError(code: .empty, message: "\(document) has no pages, so there is nothing to draw", cause: nil)
    }

    static func pageUnreadable(_ index: Int, of document: String, cause: String?) -> RasterError {
        RasterError(
            code: .unreadable, message: "page \(index + 1) of \(document) cannot be drawn; the file may be damaged",
            cause: cause)
    }

    static func pageTooLarge(_ index: Int, width: Double, height: Double, limit: Int) -> RasterError {
        RasterError(
            code: .tooLarge,
            message: "page \(index + 1) would have \(whole(width)) × \(whole(height)) pixels, and \(limit) in all"
                + " or \(Canvas.longestSide) side by side are allowed; choose a lower resolution",
            cause: nil)
    }

    static func imageUnreadable(_ path: String, cause: String) -> RasterError {
        RasterError(code: .unreadable, message: "'\(path)' cannot be read as a PNG image", cause: cause)
    }

    static func imageTooLarge(_ path: String, width: Int, height: Int) -> RasterError {
        RasterError(
            code: .tooLarge, message: "'\(path)' has \(width) × \(height) pixels, which is more than is read",
            cause: nil)
    }

    static func writeFailed(_ path: String, cause: String) -> RasterError {
        RasterError(
            code: .writeFailed, message: "'\(path)' cannot be written; check its folder and the free space",
            cause: cause)
    }
}

/// A page's size may be anything a file can say, also what fits in no integer.
private func whole(_ pixels: Double) -> Int { Int(min(pixels, 1e15)) }
