// Which printq this is.

/// The release of printq that this code belongs to.
public enum Release {
    /// The version, by Semantic Versioning.
    public static let version = "0.1.0"
}
