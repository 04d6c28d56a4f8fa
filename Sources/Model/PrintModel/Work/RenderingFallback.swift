// Defines the fallbacks for pages that the first renderer cannot draw.

/// A fallback for a page that the first renderer cannot draw, and the reason for the fallback.
package struct RenderingFallback: Hashable, Sendable, Codable {
    package enum Way: String, Hashable, Sendable, Codable {
        case otherRenderer
        case notice
    }

    package var way: Way
    /// The reason as a clause that follows "because": `drawing the page took too long`.
    package var reason: String

    package init(_ way: Way, because reason: String) {
        self.way = way
        self.reason = reason
    }

    /// Returns a sentence for users about the fallback.
    ///
    /// `page` is the name of the page, such as `page 3`.
    package func notice(of page: String) -> String {
        switch way {
        case .otherRenderer: "\(page) was drawn with another renderer because \(reason)"
        case .notice: "\(page) could not be drawn and was replaced by a notice because \(reason)"
        }
    }
}
