// The errors that printing throws.

public import FoundationEssentials
import Glibc
import SafeFiles

/// The error domain of `PrintError` (`UIPrintErrorDomain`).
public let PrintErrorDomain = "PrintErrorDomain"

/// An error that prevented a job from being printed (`UIPrintError`).
///
///     do { try await controller.print(to: printer) } catch {
///         log("\(error.domain) \(error.code.rawValue): \(error)")
///     }
public struct PrintError: Error, CustomStringConvertible {
    /// The kind of failure, for programs.
    ///
    /// The raw values are UIKit's values.
    public enum Code: Int, Sendable {
        /// An error for an unavailable printer, or for a presenter that cannot show its content.
        case printingNotAvailable = 1
        /// An error for missing content: no content is set, or the content has no pages.
        case noContent = 2
        /// An error for content of an unknown type, or of a type that the destination does not convert.
        case unknownImageFormat = 3
        /// An error for a job that could not be drawn, submitted or printed.
        case jobFailed = 4
    }

    /// The kind of failure, for programs.
    public var code: Code
    /// A sentence for people: what failed, why, and how to fix the problem.
    public var message: String
    /// The underlying error, or `nil` if there is no underlying error.
    public var cause: (any Error)?

    /// The error domain: `PrintErrorDomain`.
    public var domain: String { PrintErrorDomain }

    /// The message, followed by the cause (if any) in parentheses.
    public var description: String { cause.map { "\(message) (\(Self.text(of: $0)))" } ?? message }

    /// Creates an error with a code, a message and an optional underlying error.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    /// Creates a print error from any error.
    ///
    /// A `PrintError` is copied unchanged. Any other error becomes the cause of an error with the code `jobFailed`. The
    /// message of the new error contains `doing`.
    ///
    /// - Parameter doing: A description of the failed step, for the message.
    package init(_ error: any Error, while doing: String) {
        self = (error as? PrintError) ?? PrintError(.jobFailed, "\(doing) failed", cause: error)
    }

    /// Returns the system's message for a file error, or the description of any other error.
    ///
    /// The function does not use Foundation's description of a file error, because that description lists internal
    /// details.
    private static func text(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        if let system = error.underlying as? POSIXError { return "\(SystemFailure(system.code.rawValue))" }
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return "\(SystemFailure(ENOENT))"
        case .fileReadNoPermission, .fileWriteNoPermission: return "\(SystemFailure(EACCES))"
        case .fileWriteOutOfSpace: return "\(SystemFailure(ENOSPC))"
        case .fileWriteVolumeReadOnly: return "\(SystemFailure(EROFS))"
        case .fileWriteFileExists: return "\(SystemFailure(EEXIST))"
        default: return "unknown error"
        }
    }
}

extension PrintError: LocalizedError {
    /// The description, so that `localizedDescription` says what failed and how to fix the problem.
    public var errorDescription: String? { description }
}
