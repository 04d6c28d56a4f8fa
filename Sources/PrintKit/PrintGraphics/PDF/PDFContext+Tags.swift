// The logical structure of tagged PDFs.

import CCairo

/// The kind of a part of a document, for programs that read documents aloud or extract text (ISO 32000-1 §14.8.4).
public enum PDFTag: String, Hashable, Sendable, CaseIterable {
    /// A large part of a document.
    case part = "Part"
    /// An article, which is a self-contained text.
    case article = "Art"
    /// A part of an article, which begins with a heading.
    case section = "Sect"
    /// A block of text, the usual tag of what people read.
    case paragraph = "P"
    /// A heading of the first level, such as the title.
    case heading1 = "H1"
    /// A heading of the second level.
    case heading2 = "H2"
    /// A heading of the third level.
    case heading3 = "H3"
    /// A heading of the fourth level.
    case heading4 = "H4"
    /// A heading of the fifth level.
    case heading5 = "H5"
    /// A heading of the sixth level.
    case heading6 = "H6"
    /// A list, which consists of list items.
    case list = "L"
    /// One point of a list, which contains a label and a body.
    case listItem = "LI"
    /// The number or bullet of a list item.
    case label = "Lbl"
    /// The content of a list item.
    case listBody = "LBody"
    /// A table, which consists of rows.
    case table = "Table"
    /// The cells beside each other in a table.
    case tableRow = "TR"
    /// A cell with the heading of a row or column.
    case tableHeaderCell = "TH"
    /// A cell that is not a heading.
    case tableDataCell = "TD"
    /// A quotation of one or more paragraphs.
    case blockQuote = "BlockQuote"
    /// A text that describes a figure or table.
    case caption = "Caption"
    /// A drawing or an image.
    case figure = "Figure"
    /// A block without a specific kind.
    case block = "Div"
    /// A part of a text without a specific kind.
    case span = "Span"
}

extension PDFContext {
    /// Whether drawing is tagged: `DocumentInfo.isTagged`.
    public var isTagged: Bool { info.isTagged }

    /// Begins a part of the document's structure (`CGPDFContextBeginTag`).
    ///
    /// Drawing until `endTag()` belongs to the part. Parts can be nested, and the end of a page ends all open parts.
    /// The parts are in the order in which they begin. Strings, text frames and the formatters of text tag their
    /// paragraphs unless a part is open. A formatter of HTML tags each page as one block.
    ///
    /// Drawing outside of all parts is marked as an artifact, which reading programs skip.
    ///
    /// Does nothing if the document is not tagged, in a transparency layer, or in an artifact.
    ///
    /// - Parameter alternative: A text in place of the content, such as a description of a figure.
    public func beginTag(_ tag: PDFTag, alternative: String? = nil) {
        guard isTagged else { return }
        guard let cairo else { return handleDrawingWithoutSurface() }
        let isWritten = artifactDepth == 0 && !saved.contains(where: \.isLayer)
        if isWritten {
            cairo_tag_begin(cairo, tag.rawValue, nil)
            extras.tags.append(alternative)
        }
        openTags.append(isWritten ? tag : nil)
    }

    /// Ends the part that began last (`CGPDFContextEndTag`).
    ///
    /// Does nothing without an open part.
    public func endTag() {
        guard let cairo, let last = openTags.popLast(), let tag = last else { return }
        cairo_tag_end(cairo, tag.rawValue)
    }

    /// Runs the body inside a part of the document's structure.
    @discardableResult
    public func withTag<Result, Failure: Error>(
        _ tag: PDFTag, alternative: String? = nil, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        beginTag(tag, alternative: alternative)
        let depth = openTags.count
        defer { while openTags.count >= depth, depth > 0 { endTag() } }
        return try body()
    }

    /// Runs the body, whose drawing is not a part of the document's structure, such as a page number.
    ///
    /// `PrintPageRenderer` in PrintKit draws headers and footers in this way.
    @discardableResult
    public func withArtifact<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        artifactDepth += 1
        defer { artifactDepth -= 1 }
        return try body()
    }

    /// Whether a paragraph of text gets a tag without a request of the program.
    var tagsParagraphs: Bool { isTagged && openTags.isEmpty && artifactDepth == 0 }
}
