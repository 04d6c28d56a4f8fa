// The IPP version of a message.

/// The IPP version of a message, encoded in the first two bytes of the message (RFC 8010 §3.1.1).
public struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The major version number: 1 or 2.
    package var major: UInt8
    package var minor: UInt8

    /// IPP/1.1 (RFC 8011).
    package static let v1_1 = Version(major: 1, minor: 1)
    /// IPP/2.0 (PWG 5100.12).
    package static let v2_0 = Version(major: 2, minor: 0)

    package init(major: UInt8, minor: UInt8) {
        self.major = major
        self.minor = minor
    }

    /// Returns whether version `a` is earlier than version `b`.
    public static func < (a: Version, b: Version) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

    /// The version in the form `1.1` or `2.0`.
    public var description: String { "\(major).\(minor)" }
}
