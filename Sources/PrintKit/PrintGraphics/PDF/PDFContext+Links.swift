// Links, the outline and attachments of a PDF.

public import FoundationEssentials

extension PDFContext {
    /// Adds a named destination at a point of the open page (`UIGraphicsAddPDFContextDestinationAtPoint`).
    ///
    /// If several destinations have the same name, a link leads to the first destination.
    public func addDestination(_ name: String, at point: Point) {
        guard let place = placeOnPage(point) else { return }
        extras.destinations.append((name, pageCount - 1, place))
    }

    /// Links a rectangle of the open page to a named destination (`UIGraphicsSetPDFContextDestinationForRect`).
    ///
    /// The destination can be added later. A link to a destination that is never added is omitted.
    public func setDestination(_ name: String, for rect: Rect) {
        addLink(to: .destination(name), for: rect)
    }

    /// Links a rectangle of the open page to a URL (`UIGraphicsSetPDFContextURLForRect`).
    public func setURL(_ url: URL, for rect: Rect) {
        addLink(to: .address(url.absoluteString), for: rect)
    }

    /// Adds an entry to the outline, which PDF readers show beside the pages.
    ///
    /// - Parameters:
    ///   - level: The nesting level; 0 is the top level. The parent is the nearest preceding entry with a smaller
    ///     level.
    ///   - point: The destination on the open page; `nil` means the page's upper left corner.
    public func addOutlineEntry(_ title: String, level: Int = 0, at point: Point? = nil) {
        guard isPageOpen else { return handleDrawingWithoutSurface() }
        let corner = Point(x: 0, y: pageBounds.height)
        extras.outline.append((title, level, pageCount - 1, point.flatMap(placeOnPage) ?? corner))
    }

    /// Embeds a file in the document.
    ///
    /// The file replaces an earlier attachment with the same name.
    ///
    /// - Parameters:
    ///   - type: The media type, such as `text/csv`.
    ///   - description: A description for people.
    ///   - relationship: The purpose of the file for the document; `nil` if the file is not associated with the
    ///     document. In PDF/A-3b, every file is associated, and the default is `unspecified`.
    public func attach(
        _ data: Data, name: String, type: String = "", description: String = "",
        relationship: AttachmentRelationship? = nil
    ) {
        let isArchived = info.conformance != nil
        extras.attachments.append(
            PDFExtras.Attachment(
                name: name, description: description,
                type: isArchived && type.isEmpty ? "application/octet-stream" : type,
                relationship: isArchived ? relationship ?? .unspecified : relationship, data: data))
    }

    /// Sets the document's metadata, an XMP packet in XML (`CGPDFContextAddDocumentMetadata`).
    ///
    /// The context writes the metadata of a document with a conformance itself. Such a document with other metadata is
    /// `nonconforming`.
    public func addMetadata(_ xmp: Data) {
        guard info.conformance == nil else {
            return note(
                GraphicsError(
                    .nonconforming,
                    "cannot add metadata to a PDF/A document, whose metadata must be equal to its"
                        + " DocumentInfo; set the properties of DocumentInfo"))
        }
        extras.metadata = xmp
    }

    private func addLink(to target: PDFExtras.Target, for rect: Rect) {
        guard isPageOpen else { return handleDrawingWithoutSurface() }
        guard rect.isFinite, !rect.isEmpty else { return }
        // Base space has its origin at the origin of the page's bounds.
        let placed = transform.apply(to: rect)
        let shown =
            switch origin {
            case .topLeft: placed.upwards(in: pageBounds)
            case .lowerLeft:
                Rect(origin: placed.origin.moved(x: -pageBounds.minX, y: -pageBounds.minY), size: placed.size)
            }
        extras.links.append(PDFExtras.Link(page: pageCount - 1, rect: shown, target: target))
    }

    /// Converts a point in user space to a position relative to the lower left corner of the page.
    ///
    /// Stores an error and returns `nil` if no page is open. Returns `nil` for a point that is not finite.
    private func placeOnPage(_ point: Point) -> Point? {
        guard isPageOpen else {
            handleDrawingWithoutSurface()
            return nil
        }
        guard point.isFinite else { return nil }
        let shown = transform.apply(to: point)
        let y = origin == .topLeft ? pageBounds.maxY - shown.y : shown.y - pageBounds.minY
        return Point(x: shown.x - pageBounds.minX, y: y)
    }

    private var isPageOpen: Bool { cairo != nil }
}
