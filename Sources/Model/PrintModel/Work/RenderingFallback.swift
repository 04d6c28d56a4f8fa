// How a page is made that cannot be made in the usual way.

/// Another way to make a page than drawing it with the usual renderer, and why that is necessary.
package struct RenderingFallback: Hashable, Sendable, Codable {
    /// What is done instead.
    package enum Way: String, Hashable, Sendable, Codable {
        /// The page is drawn with the second renderer.
        case otherRenderer
        /// The page is replaced by a page that says why.
        case notice
    }

    /// What is done instead.
    package var way: Way
    /// Why, as it follows "because": `drawing it took more than 10 s`.
    package var reason: String

    /// A detour.
    package init(_ way: Way, because reason: String) {
        self.way = way
        self.reason = reason
    }

    /// A sentence for the people who get the page, which is called `page`: `page 3`.
    package func notice(of page: String) -> String {
        switch way {
        case .otherRenderer: "\(page) was drawn with another renderer because \(reason)"
        case .notice: "\(page) could not be drawn and was replaced by a notice because \(reason)"
        }
    }
}
