// Links, outline and attachments of a PDF.

public import FoundationEssentials

extension PDFContext {
    /// Names a point of the open page, for links to lead to (`UIGraphicsAddPDFContextDestinationAtPoint`).
    ///
    /// A name that is given twice means the first place.
    public func addDestination(_ name: String, at point: Point) {
        guard let place = placeOnPage(point) else { return }
        extras.destinations.append((name, pageCount - 1, place))
    }

    /// Makes a rectangle of the open page a link to a named destination (`UIGraphicsSetPDFContextDestinationForRect`).
    ///
    /// The destination may be named later. A link to one that never is is left out.
    public func setDestination(_ name: String, for rect: Rect) {
        addLink(to: .destination(name), for: rect)
    }

    /// Makes a rectangle of the open page a link to an address (`UIGraphicsSetPDFContextURLForRect`).
    public func setURL(_ url: URL, for rect: Rect) {
        addLink(to: .address(url.absoluteString), for: rect)
    }

    /// Adds an entry to the outline, which readers show beside the pages.
    ///
    /// - Parameters:
    ///   - title: What it says.
    ///   - level: How deep it lies; 0 is the top. It belongs to the last entry before it that lies higher.
    ///   - point: Where it leads on the open page; the page's corner unless said.
    public func addOutlineEntry(_ title: String, level: Int = 0, at point: Point? = nil) {
        guard isPageOpen else { return noteNothingOpen() }
        let corner = Point(x: 0, y: pageBounds.height)
        extras.outline.append((title, level, pageCount - 1, point.flatMap(placeOnPage) ?? corner))
    }

    /// Embeds a file in the document; a file of the same name before it is replaced.
    ///
    /// - Parameters:
    ///   - data: Its content.
    ///   - name: Its name.
    ///   - type: Its media type, such as `text/csv`.
    ///   - description: What it is, for people.
    public func attach(_ data: Data, name: String, type: String = "", description: String = "") {
        extras.attachments.append(
            PDFExtras.Attachment(name: name, description: description, type: type, data: data))
    }

    /// Sets the document's metadata, an XMP packet in XML (`CGPDFContextAddDocumentMetadata`).
    public func addMetadata(_ xmp: Data) { extras.metadata = xmp }

    private func addLink(to target: PDFExtras.Target, for rect: Rect) {
        guard isPageOpen else { return noteNothingOpen() }
        guard rect.isFinite, !rect.isEmpty else { return }
        // Base space has its origin at the page's bounds' origin.
        let shown = transform.apply(to: rect).upwards(in: pageBounds)
        extras.links.append(PDFExtras.Link(page: pageCount - 1, rect: shown, target: target))
    }

    /// Where a point of user space lies on the page, counted upwards.
    private func placeOnPage(_ point: Point) -> Point? {
        guard isPageOpen else {
            noteNothingOpen()
            return nil
        }
        guard point.isFinite else { return nil }
        let shown = transform.apply(to: point)
        return Point(x: shown.x - pageBounds.minX, y: pageBounds.maxY - shown.y)
    }

    private var isPageOpen: Bool { cairo != nil }
}
