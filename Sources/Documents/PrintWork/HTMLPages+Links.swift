// Links in HTML, and where they lead.

public import PrintModel

extension HTMLPages {
    /// A rectangle of a page that leads somewhere (`<a href>`).
    public struct Link: Hashable, Sendable {
        /// Where it leads.
        public enum Target: Hashable, Sendable {
            /// To an address elsewhere, such as `https://example.com/`.
            case address(String)
            /// To an anchor of the document, by its name.
            case anchor(String)
        }

        /// The page that it is on, counted from 0.
        public var page: Int
        /// Where on the page, in points from its upper left corner.
        public var rect: Rect
        /// Where it leads.
        public var target: Target
    }

    /// A place of the document that links lead to (`id`).
    public struct Anchor: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// The page that it is on, counted from 0.
        public var page: Int
        /// Where on the page, in points from its upper left corner.
        public var point: Point
    }
}

extension HTMLPages.Link {
    /// A link as the engine tells of it.
    struct Told: Decodable {
        var page: Int
        var rect: [Double]
        var address: String?
        var anchor: String?
    }

    /// The link; nil when it makes no sense.
    init?(_ told: Told) {
        guard told.rect.count == 4, told.page >= 0 else { return nil }
        if let address = told.address {
            target = .address(address)
        } else if let anchor = told.anchor {
            target = .anchor(anchor)
        } else {
            return nil
        }
        page = told.page
        rect = Rect(x: told.rect[0], y: told.rect[1], width: told.rect[2], height: told.rect[3])
    }
}

extension HTMLPages.Anchor {
    /// An anchor as the engine tells of it.
    struct Told: Decodable {
        var page: Int
        var name: String
        var point: [Double]
    }

    /// The anchor; nil when it makes no sense.
    init?(_ told: Told) {
        guard told.point.count == 2, told.page >= 0 else { return nil }
        (name, page, point) = (told.name, told.page, Point(x: told.point[0], y: told.point[1]))
    }
}
