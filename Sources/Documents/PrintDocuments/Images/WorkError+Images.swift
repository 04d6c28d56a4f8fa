// Errors of reading images and drawings.

import PrintModel

extension WorkError {
    /// Returns the error for an image that cannot be decoded.
    static func damagedImage(_ kind: String, _ name: String, cause: String?) -> WorkError {
        WorkError(
            .damaged, "the \(kind) '\(name)' is damaged; open the file in another viewer and save a new copy",
            detail: cause)
    }

    /// Returns the error for an image with too many pixels.
    static func imageTooLarge(_ kind: String, _ name: String, width: Int, height: Int, limit: Int) -> WorkError {
        WorkError(
            .outputTooLarge,
            "the \(kind) '\(name)' has \(width) × \(height) pixels, and the limit is "
                + "\(limit / 1_000_000) million pixels; save a smaller image")
    }

    /// Returns the error for a file that exceeds the maximum size.
    static func imageFileTooLarge(_ kind: String, _ name: String, bytes: Int, limit: Int) -> WorkError {
        WorkError(
            .documentTooLarge,
            "the \(kind) '\(name)' is \(bytes >> 20) MB, and the limit is \(limit >> 20) MB; save a smaller file")
    }

    /// Returns the error for an image that needs too much memory.
    static func imageMemoryExceeded(_ kind: String, _ name: String) -> WorkError {
        WorkError(
            .memoryExceeded, "the \(kind) '\(name)' needs more memory than is available; save a smaller image")
    }

    /// Returns the error for an image format whose decoder is not installed.
    static func missingImageLoader(_ kind: String, _ name: String, package: String, cause: String?) -> WorkError {
        WorkError(
            .unsupportedFormat,
            "no decoder for the \(kind) '\(name)'; "
                + "run 'apt install \(package)' or, in a checkout, 'scripts/setup documents'",
            detail: cause)
    }
}
