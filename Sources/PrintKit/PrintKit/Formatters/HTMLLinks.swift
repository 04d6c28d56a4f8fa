// Links of HTML on the pages that they come out on.

import FoundationEssentials
import PrintModel
import PrintWork
import Synchronization

/// The links of a document, and the places that they lead to, page by page.
struct HTMLLinks {
    private let links: [Int: [HTMLPages.Link]]
    private let anchors: [Int: [HTMLPages.Anchor]]
    /// Tells its anchors from those of another document on the same pages.
    private let prefix: String

    private static let documents = Atomic(0)

    init(_ pages: HTMLPages) {
        links = Dictionary(grouping: pages.links, by: \.page)
        anchors = Dictionary(grouping: pages.anchors, by: \.page)
        prefix = "html-\(Self.documents.add(1, ordering: .relaxed).newValue)-"
    }

    /// Makes the links of a page, counted from 0, links of a PDF's open page, where the page's upper left corner is at a point.
    ///
    /// - Parameter visible: what is seen of it; nil for all.
    func add(ofPage number: Int, to pdf: PDFContext, at origin: Point, _ visible: Rect?) {
        func place(_ rect: Rect) -> Rect {
            Rect(x: origin.x + rect.minX, y: origin.y + rect.minY, width: rect.width, height: rect.height)
        }
        for link in links[number] ?? [] {
            let rect = place(link.rect)
            if let visible, !rect.intersects(visible) { continue }
            switch link.target {
            case .address(let address): if let url = URL(string: address) { pdf.setURL(url, for: rect) }
            case .anchor(let name): pdf.setDestination(prefix + name, for: rect)
            }
        }
        for anchor in anchors[number] ?? [] {
            let point = Point(x: origin.x + anchor.point.x, y: origin.y + anchor.point.y)
            if let visible, !(visible.minY...visible.maxY).contains(point.y) { continue }
            pdf.addDestination(prefix + anchor.name, at: point)
        }
    }
}

extension Rect {
    /// Whether they have more than an edge in common.
    fileprivate func intersects(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }
}
