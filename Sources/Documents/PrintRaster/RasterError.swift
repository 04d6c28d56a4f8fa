// Errors of opening, drawing and writing pages and images.

/// An error of opening or drawing a PDF, or of reading or writing an image.
public struct RasterError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: String, Sendable {
        /// The file is missing, damaged, or of another format.
        case unreadable
        /// The document requires a password, or the password is wrong.
        case encrypted
        /// The document has no pages.
        case empty
        /// The page would have more pixels than the limit.
        case tooLarge
        /// The image could not be written.
        case writeFailed
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence with the failure, the cause and the advice.
    public var message: String
    /// The error message of the library or the system; nil without a message.
    public var cause: String?

    /// The message, followed by the cause in parentheses.
    public var description: String {
        cause.map { "\(message) (\($0))" } ?? message
    }
}

extension RasterError {
    // `document` is the name of the document in messages: `'report.pdf'`, `the document`.

    static func unreadable(_ document: String, cause: String?) -> RasterError {
        RasterError(
            code: .unreadable,
            message: "\(document) cannot be read as a PDF; check that the file opens in another viewer",
            cause: cause)
    }

    static func encrypted(_ document: String, password: String?) -> RasterError {
        let message =
            password == nil
            ? "\(document) is encrypted; give its password" : "the password does not open \(document)"
        return RasterError(code: .encrypted, message: message, cause: nil)
    }

    static func empty(_ document: String) -> RasterError {
        RasterError(code: .empty, message: "\(document) has no pages", cause: nil)
    }

    static func pageUnreadable(_ index: Int, of document: String, cause: String?) -> RasterError {
        RasterError(
            code: .unreadable, message: "page \(index + 1) of \(document) cannot be drawn; the file may be damaged",
            cause: cause)
    }

    static func pageTooLarge(_ index: Int, width: Double, height: Double, limit: Int) -> RasterError {
        RasterError(
            code: .tooLarge,
            message: "page \(index + 1) would have \(whole(width)) × \(whole(height)) pixels; the limit is"
                + " \(limit) in total and \(Canvas.longestSide) in width; choose a lower resolution",
            cause: nil)
    }

    static func imageUnreadable(_ path: String, cause: String) -> RasterError {
        RasterError(code: .unreadable, message: "'\(path)' cannot be read as a PNG image", cause: cause)
    }

    static func imageTooLarge(_ path: String, width: Int, height: Int) -> RasterError {
        RasterError(
            code: .tooLarge, message: "'\(path)' has \(width) × \(height) pixels, which exceeds the limit",
            cause: nil)
    }

    static func writeFailed(_ path: String, cause: String) -> RasterError {
        RasterError(
            code: .writeFailed, message: "'\(path)' cannot be written; check its folder and the free space",
            cause: cause)
    }
}

/// Converts a number of pixels to an integer; the size in a file may exceed the range of integers.
private func whole(_ pixels: Double) -> Int { Int(min(pixels, 1e15)) }
