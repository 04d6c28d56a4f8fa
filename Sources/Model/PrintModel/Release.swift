// Defines the version of printq.

/// The release of printq.
public enum Release {
    /// The version, in the format of Semantic Versioning.
    public static let version = "0.1.0"
}
