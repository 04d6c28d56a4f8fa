// Defines the fallbacks for pages that the primary renderer cannot draw.

/// A fallback for a page that the primary renderer cannot draw, and its reason.
package struct RenderingFallback: Hashable, Sendable, Codable {
    /// The type of fallback.
    package enum Way: String, Hashable, Sendable, Codable {
        /// The page is drawn with the second renderer.
        case otherRenderer
        /// The page is replaced by a page with a notice.
        case notice
    }

    /// The type of fallback.
    package var way: Way
    /// The reason, as a clause after "because": `drawing it took more than 10 s`.
    package var reason: String

    /// Creates a fallback.
    package init(_ way: Way, because reason: String) {
        self.way = way
        self.reason = reason
    }

    /// Returns a sentence about the fallback for users; `page` is the name of the page, such as `page 3`.
    package func notice(of page: String) -> String {
        switch way {
        case .otherRenderer: "\(page) was drawn with another renderer because \(reason)"
        case .notice: "\(page) could not be drawn and was replaced by a notice because \(reason)"
        }
    }
}
