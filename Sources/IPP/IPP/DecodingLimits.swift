// Size limits for received messages.

/// Size limits for a received message.
///
/// A message that exceeds a limit is rejected, not truncated.
public struct DecodingLimits: Hashable, Sendable {
    /// The maximum size of a message in bytes, without its document.
    package var maxBytes: Int
    /// The maximum nesting depth of collections, at most ``Collection/maximumDepth``.
    package var maxDepth: Int
    /// The maximum number of attribute groups.
    package var maxGroups: Int
    /// The maximum number of attributes, including members of collections.
    package var maxAttributes: Int
    /// The maximum number of values of all attributes together.
    package var maxValues: Int

    package init(
        maxBytes: Int = 1 << 20, maxDepth: Int = 16, maxGroups: Int = 1_000, maxAttributes: Int = 20_000,
        maxValues: Int = 50_000
    ) {
        self.maxBytes = maxBytes
        self.maxDepth = min(maxDepth, Collection.maximumDepth)
        (self.maxGroups, self.maxAttributes, self.maxValues) = (maxGroups, maxAttributes, maxValues)
    }

    /// The default limits, for requests: 1 MiB, 20,000 attributes, 50,000 values.
    package static let `default` = DecodingLimits()

    /// The limits for a response, such as a list of all jobs: 64 MiB, 100,000 groups, 2,000,000 values.
    package static let response = DecodingLimits(
        maxBytes: 64 << 20, maxGroups: 100_000, maxAttributes: 2_000_000, maxValues: 2_000_000)
}
