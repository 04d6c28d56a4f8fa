// Errors of opening, drawing and writing pages and images.

package import Glibc
import SafeFiles

/// An error that occurs while a PDF is opened or drawn, or an image is read or written.
public struct RasterError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure, as a code for programs.
    public enum Code: String, Sendable {
        /// An error for a file that is missing or damaged, or has another format.
        case unreadable
        /// An error for a document that requires a password, or for a wrong password.
        case encrypted
        /// An error for a document without pages.
        case empty
        /// An error for a page, an image or a file that exceeds a size limit or the available memory.
        case tooLarge
        /// An error for a file that could not be written.
        case writeFailed
    }

    /// The kind of failure, as a code for programs.
    public var code: Code
    /// A sentence that explains what failed, why, and what the user can do.
    public var message: String
    /// The error message of the library or the system; nil if there is no message.
    public var cause: String?

    /// The sentence for users, followed by the cause in parentheses.
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
            ? "\(document) is encrypted; enter the password" : "incorrect password for \(document)"
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

    /// Returns the error for a notice page that cannot be drawn.
    static func noticeFailed(_ page: String, cause: String) -> RasterError {
        RasterError(
            code: .unreadable, message: "\(page) cannot be drawn, and the notice in its place cannot be drawn either",
            cause: cause)
    }

    static func pageTooLarge(_ index: Int, width: Double, height: Double, limit: Int) -> RasterError {
        pageTooLarge(named: "page \(index + 1)", width: width, height: height, limit: limit)
    }

    static func pageTooLarge(named page: String, width: Double, height: Double, limit: Int) -> RasterError {
        RasterError(
            code: .tooLarge,
            message: "\(page) would have \(whole(width)) × \(whole(height)) pixels; the limit is"
                + " \(limit) pixels in total and \(Canvas.longestSide) pixels in width; choose a lower resolution",
            cause: nil)
    }

    static func imageUnreadable(_ path: String, cause: String) -> RasterError {
        RasterError(code: .unreadable, message: "'\(path)' cannot be read as a PNG image", cause: cause)
    }

    static func imageTooLarge(_ path: String, width: Int, height: Int) -> RasterError {
        RasterError(
            code: .tooLarge, message: "the image '\(path)' has too many pixels (\(width) × \(height))",
            cause: nil)
    }

    package static func writeFailed(_ path: String, cause: String) -> RasterError {
        RasterError(
            code: .writeFailed, message: "'\(path)' cannot be written; check its folder and the free space",
            cause: cause)
    }
}

/// The mode of the files that a process writes.
package enum OutputFileMode {
    /// Whether this process is a worker of another user than its spooler, which reads the files as a member of the group.
    ///
    /// A worker cannot change the mode of a file, so it creates the file with its final mode.
    private static let isShared = CommandLine.arguments.contains("--receives-files")

    package static let mode: mode_t = isShared ? 0o660 : 0o600
}

extension AtomicFile where Failure == RasterError {
    /// Creates the temporary file.
    ///
    /// - Throws: `writeFailed`.
    convenience init(path: String) throws(RasterError) {
        try self.init(path: path, mode: OutputFileMode.mode) { .writeFailed(path, cause: $0.description) }
    }
}

/// Returns a number of pixels as an integer, limited to 10¹⁵.
///
/// The size that a file declares can exceed the range of integers.
private func whole(_ pixels: Double) -> Int { Int(min(pixels, 1e15)) }
