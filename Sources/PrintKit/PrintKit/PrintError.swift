// What can go wrong when an app prints.

import FoundationEssentials
import Glibc

/// The domain of `PrintError`'s codes (`UIPrintErrorDomain`).
public let PrintErrorDomain = "PrintErrorDomain"

/// A job could not be printed (`UIPrintError`).
///
///     do { try await controller.print(to: printer) } catch {
///         log("\(error.domain) \(error.code.rawValue): \(error)")
///     }
public struct PrintError: Error, CustomStringConvertible {
    /// The kind of failure, for programs; the numbers are UIKit's.
    public enum Code: Int, Sendable {
        /// There is no printer to print to.
        case printingNotAvailable = 1
        /// There is nothing to print: no content was set, or it has no pages.
        case noContent = 2
        /// The content is neither a PDF nor an image of a known format.
        case unknownImageFormat = 3
        /// The job could not be drawn, sent or printed.
        case jobFailed = 4
    }

    /// The kind of failure.
    public var code: Code
    /// What failed, on what, and what to do next, for people.
    public var message: String
    /// What was reported underneath, if anything.
    public var cause: (any Error)?

    /// `PrintErrorDomain`.
    public var domain: String { PrintErrorDomain }

    /// The message, and the cause in parentheses.
    public var description: String { cause.map { "\(message) (\(Self.words(of: $0)))" } ?? message }

    /// A failure of a kind, in words.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    /// The error itself when it is a `PrintError`; else a failed job with words that say what was being done.
    init(_ error: any Error, while doing: String) {
        self = (error as? PrintError) ?? PrintError(.jobFailed, "\(doing) failed", cause: error)
    }

    /// An error for people: what the system says, where Foundation would list its own insides.
    private static func words(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        if let system = error.underlying as? POSIXError { return "\(SystemFailure(system.code.rawValue))" }
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return "\(SystemFailure(ENOENT))"
        case .fileReadNoPermission, .fileWriteNoPermission: return "\(SystemFailure(EACCES))"
        case .fileWriteOutOfSpace: return "\(SystemFailure(ENOSPC))"
        case .fileWriteVolumeReadOnly: return "\(SystemFailure(EROFS))"
        case .fileWriteFileExists: return "\(SystemFailure(EEXIST))"
        default: return "the system gives no reason"
        }
    }
}

/// An error number of the system, in its words.
struct SystemFailure: Error, CustomStringConvertible {
    let description: String

    init(_ number: Int32) { description = String(cString: strerror(number)) }
}
