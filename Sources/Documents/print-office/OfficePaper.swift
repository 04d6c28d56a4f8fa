// Chooses the page size of documents that define none.

import PrintModel

/// The page size for documents that define no page size.
///
/// LibreOffice derives this size, Letter or A4, from the country of its language setting (`en-US` or `en-GB`). DOCX and
/// RTF files without a page size have Letter pages, as their formats define.
enum OfficePaper: Hashable {
    case letter, a4

    /// The paper sizes in countries that use Letter, in points: Letter, Legal, Tabloid, Executive and Statement.
    private static let american = [(612.0, 792.0), (612.0, 1008.0), (792.0, 1224.0), (522.0, 756.0), (396.0, 612.0)]

    /// Chooses the page size for documents that are printed on paper of the given size, in points.
    init(_ size: Size) {
        let (short, long) = (min(size.width, size.height), max(size.width, size.height))
        self = Self.american.contains { abs($0.0 - short) < 2 && abs($0.1 - long) < 2 } ? .letter : .a4
    }
}
