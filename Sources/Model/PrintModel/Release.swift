// Defines the version of printq.

import CRelease

/// A namespace for the version and the commit of printq.
public enum Release {
    /// The version of printq, in the format of Semantic Versioning.
    public static let version = "1.0.0"

    /// The abbreviated hash of the commit from which the programs were built, followed by `-dirty` if the checkout had
    /// uncommitted changes.
    ///
    /// The value is nil if the build did not set `PRINTQ_COMMIT`, for example after a plain `swift build`.
    public static var commit: String? { known(String(cString: crelease_commit())) }

    /// Returns the output of the option `--version`: `printq 1.0.0 (1a2b3c4d)`.
    ///
    /// - Parameter program: The name of the program.
    public static func text(of program: String) -> String { text(of: program, commit: commit) }

    static func text(of program: String, commit: String?) -> String {
        guard let commit else { return "\(program) \(version) (unknown commit)" }
        let dirty = "-dirty"
        let words = commit.hasSuffix(dirty) ? "\(commit.dropLast(dirty.count)), with uncommitted changes" : commit
        return "\(program) \(version) (\(words))"
    }

    private static func known(_ commit: String) -> String? { commit.isEmpty ? nil : commit }
}
