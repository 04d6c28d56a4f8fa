// How much a received message may ask of its reader.

/// How much a received message may ask of its reader; what exceeds them is refused, not cut.
public struct DecodingLimits: Hashable, Sendable {
    /// The most bytes of a message, without its document.
    public var maxBytes: Int
    /// How deep collections may nest, at most ``Collection/maximumDepth``.
    public var maxDepth: Int
    /// The most attribute groups.
    public var maxGroups: Int
    /// The most attributes, members of collections among them.
    public var maxAttributes: Int
    /// The most values of all attributes together.
    public var maxValues: Int

    /// The given limits.
    public init(
        maxBytes: Int = 1 << 20, maxDepth: Int = 16, maxGroups: Int = 1_000, maxAttributes: Int = 20_000,
        maxValues: Int = 50_000
    ) {
        self.maxBytes = maxBytes
        self.maxDepth = min(maxDepth, Collection.maximumDepth)
        self.maxGroups = maxGroups
        self.maxAttributes = maxAttributes
        self.maxValues = maxValues
    }

    /// For a request: 1 MiB, 20,000 attributes, 50,000 values.
    public static let `default` = DecodingLimits()

    /// For a response, which may list every job there is: 64 MiB, 100,000 groups, two million values.
    public static let response = DecodingLimits(
        maxBytes: 64 << 20, maxGroups: 100_000, maxAttributes: 2_000_000, maxValues: 2_000_000)
}
