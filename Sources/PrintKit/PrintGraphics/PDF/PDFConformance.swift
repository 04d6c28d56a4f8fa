// The standards for archives to which PDFs can conform.

/// A standard for PDFs that archives keep (`DocumentInfo.conformance`).
///
/// A conforming document contains its fonts, an output intent, and metadata (XMP) that are equal to `DocumentInfo`. It
/// has no password and contains no actions other than links. Its colors are RGB or gray: CMYK colors are converted.
///
/// `PDFContext.close()` throws `nonconforming` if the document contains something that the standard does not allow,
/// such as a page of another PDF whose fonts are not embedded.
public enum PDFConformance: String, Hashable, Sendable, CaseIterable {
    /// PDF/A-2b (ISO 19005-2): the document looks the same for a long time.
    case pdfA2b
    /// PDF/A-3b (ISO 19005-3): PDF/A-2b with attachments of any type, as electronic invoices need.
    case pdfA3b

    /// The number of the standard's part.
    var part: Int { self == .pdfA2b ? 2 : 3 }
}
