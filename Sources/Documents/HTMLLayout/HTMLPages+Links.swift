// The links and anchors of laid-out HTML.

public import PrintModel

extension HTMLPages {
    /// A link on a page, from `<a href>` in the HTML.
    public struct Link: Hashable, Sendable {
        /// The target of a link.
        public enum Target: Hashable, Sendable {
            /// An external address, such as `https://example.com/`.
            case address(String)
            /// An anchor in the document, identified by its name.
            case anchor(String)
        }

        /// The index of the page that contains the link, from 0.
        public var page: Int
        /// The area of the link, in points from the page's upper left corner.
        public var rect: Rect
        /// The target of the link.
        public var target: Target
    }

    /// A position in the document that can be the target of a link (`id`).
    public struct Anchor: Hashable, Sendable {
        /// The name of the anchor.
        public var name: String
        /// The index of the page that contains the anchor, from 0.
        public var page: Int
        /// The position of the anchor, in points from the page's upper left corner.
        public var point: Point
    }
}

extension HTMLPages.Link {
    /// A link in the response of the engine.
    struct Received: Decodable {
        var page: Int
        var rect: [Double]
        var address: String?
        var anchor: String?
    }

    /// Creates a link.
    ///
    /// Returns nil if the data in the response is invalid.
    init?(_ received: Received) {
        guard received.rect.count == 4, received.page >= 0 else { return nil }
        if let address = received.address {
            target = .address(address)
        } else if let anchor = received.anchor {
            target = .anchor(anchor)
        } else {
            return nil
        }
        page = received.page
        rect = Rect(x: received.rect[0], y: received.rect[1], width: received.rect[2], height: received.rect[3])
    }
}

extension HTMLPages.Anchor {
    /// An anchor in the response of the engine.
    struct Received: Decodable {
        var page: Int
        var name: String
        var point: [Double]
    }

    /// Creates an anchor.
    ///
    /// Returns nil if the data in the response is invalid.
    init?(_ received: Received) {
        guard received.point.count == 2, received.page >= 0 else { return nil }
        (name, page, point) = (received.name, received.page, Point(x: received.point[0], y: received.point[1]))
    }
}
