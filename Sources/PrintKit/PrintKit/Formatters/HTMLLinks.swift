// The links of an HTML document on its laid-out pages.

import FoundationEssentials
import PrintModel
import HTMLLayout
import Synchronization

struct HTMLLinks {
    private let links: [Int: [HTMLPages.Link]]
    private let anchors: [Int: [HTMLPages.Anchor]]
    /// The prefix prevents conflicts with another document on the same pages.
    private let prefix: String

    private static let documents = Atomic(0)

    init(_ pages: HTMLPages) {
        links = Dictionary(grouping: pages.links, by: \.page)
        anchors = Dictionary(grouping: pages.anchors, by: \.page)
        prefix = "html-\(Self.documents.add(1, ordering: .relaxed).newValue)-"
    }

    /// Adds the links and the link targets of a page to the open page of a PDF.
    ///
    /// - Parameters:
    ///   - number: The index of the page, from 0.
    ///   - origin: The upper left corner of the page in the PDF page.
    ///   - visible: The visible part of the page, or `nil` for the whole page.
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
    /// Returns whether two rectangles have a common area.
    ///
    /// The result is false if the rectangles share only an edge.
    fileprivate func intersects(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }
}
