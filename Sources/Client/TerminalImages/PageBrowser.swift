// Keeps the state of a viewer that shows the pages of several documents, without a terminal.

/// A key of a page viewer.
public enum PageKey: Hashable, Sendable {
    /// The key that shows the next page; on the last page, the first page of the next document.
    case nextPage
    /// The key that shows the previous page; on the first page, the last page of the previous document.
    case previousPage
    /// The key that shows the next document.
    case nextDocument
    /// The key that shows the previous document.
    case previousDocument
    /// The key that shows the first page of the document.
    case firstPage
    /// The key that shows the last page of the document.
    case lastPage
    /// The key that switches between thumbnails and a single page.
    case overview
    /// The key that prints the document.
    case print
    /// The key that ends the viewer.
    case quit
}

/// A parser that converts the input bytes of a terminal to keys.
public struct PageKeyReader: Sendable {
    private var sequence: [UInt8] = []

    /// Creates a parser that has received no bytes.
    public init() {}

    /// Parses bytes, and returns the keys whose bytes are complete.
    ///
    /// The bytes of an incomplete key stay in the parser until the next call. Unknown keys are ignored.
    public mutating func read(_ bytes: some Sequence<UInt8>) -> [PageKey] { bytes.compactMap { read($0) } }

    private mutating func read(_ byte: UInt8) -> PageKey? {
        guard sequence.isEmpty else { return readSequence(byte) }
        switch byte {
        case 0x1B:
            sequence = [byte]
            return nil
        case UInt8(ascii: "n"), UInt8(ascii: " "), UInt8(ascii: "j"), UInt8(ascii: "l"), 0x0D, 0x0A: return .nextPage
        case UInt8(ascii: "p"), UInt8(ascii: "b"), UInt8(ascii: "k"), UInt8(ascii: "h"), 0x7F, 0x08:
            return .previousPage
        case UInt8(ascii: "N"), 0x09: return .nextDocument
        case UInt8(ascii: "P"): return .previousDocument
        case UInt8(ascii: "g"): return .firstPage
        case UInt8(ascii: "G"): return .lastPage
        case UInt8(ascii: "t"): return .overview
        // Control-P.
        case 0x10: return .print
        // Control-C and Control-D, which a terminal in raw mode sends as bytes.
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04: return .quit
        default: return nil
        }
    }

    /// Parses a key that consists of several bytes, such as `ESC [ … A`, `ESC O A` or `ESC [ 6 ~`.
    private mutating func readSequence(_ byte: UInt8) -> PageKey? {
        if byte == 0x1B || sequence.count > 16 {
            sequence = [0x1B]
            return nil
        }
        sequence.append(byte)
        if sequence.count == 2 {
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") { return nil }
            // Escape and then another key.
            sequence = []
            return read(byte)
        }
        guard (0x40...0x7E).contains(byte) else { return nil }
        defer { sequence = [] }
        switch String(decoding: sequence.dropFirst(2), as: UTF8.self) {
        case "C", "B", "6~": return .nextPage
        case "D", "A", "5~": return .previousPage
        case "Z": return .previousDocument
        case "H", "1~": return .firstPage
        case "F", "4~": return .lastPage
        default: return nil
        }
    }
}

/// The state of a page viewer: the documents, and the current page.
///
///     var browser = PageBrowser(names: ["a.pdf", "b.txt"])
///     browser.describe(0, as: "PDF document, 2 pages, A4", sides: 2, images: 2)
///     browser.handle(.nextPage)
public struct PageBrowser: Hashable, Sendable {
    /// A document in a page viewer.
    public struct Document: Hashable, Sendable {
        /// The display name of the document, without control characters.
        public var name: String
        /// The type, the number of pages and the paper of the document, as text; nil until the document is laid out.
        public var details: String?
        /// The number of printed sides of the document; 0 until the document is laid out.
        public var sides = 0
        /// The maximum number of sides for which page images are drawn.
        public var imageLimit = 0
        /// The paths of the page images.
        ///
        /// The key is the number of the side, from 1.
        public var images: [Int: String] = [:]
        /// The reason why the document, or a part of its pages, cannot be shown; nil if no failure is known.
        public var failure: String?
        /// Whether the viewer offers to print the document.
        public var isPrintable = false
    }

    /// The documents of the viewer, in order.
    public private(set) var documents: [Document]
    /// The index of the shown document.
    public private(set) var index = 0
    /// The number of the shown side, from 1.
    public private(set) var side = 1
    /// Whether thumbnails are shown instead of one page.
    public private(set) var showsOverview = false
    /// Whether the viewer has ended.
    public private(set) var hasEnded = false
    /// Whether the viewer has ended because the user prints the shown document.
    public private(set) var isPrinting = false

    /// Creates a browser for documents with the given names.
    ///
    /// - Precondition: There is at least one name.
    public init(names: [String]) {
        precondition(!names.isEmpty, "a page browser requires at least one document name")
        documents = names.map { Document(name: $0) }
    }

    /// The document that the viewer shows.
    public var document: Document { documents[index] }

    /// The path of the shown page's image; nil if the page is not drawn.
    public var image: String? { document.images[side] }

    /// Shows a document, from its first page; an invalid index is ignored.
    public mutating func show(_ number: Int) { moveDocument(by: number - index) }

    // MARK: News

    /// Offers to print a document.
    public mutating func offerPrinting(of number: Int) {
        if documents.indices.contains(number) { documents[number].isPrintable = true }
    }

    /// Adds the description of a document.
    ///
    /// - Parameters:
    ///   - number: The index of the document; an invalid index is ignored.
    ///   - images: The maximum number of sides for which page images are drawn.
    public mutating func describe(_ number: Int, as details: String, sides: Int, images: Int) {
        guard documents.indices.contains(number) else { return }
        documents[number].details = details
        documents[number].sides = max(0, sides)
        documents[number].imageLimit = images
    }

    /// Adds the path of a page image.
    public mutating func add(_ path: String, side: Int, of number: Int) {
        guard documents.indices.contains(number), side > 0 else { return }
        documents[number].images[side] = path
        documents[number].sides = max(documents[number].sides, side)
    }

    /// Adds the reason why a document cannot be shown.
    public mutating func fail(_ number: Int, because reason: String) {
        guard documents.indices.contains(number) else { return }
        documents[number].failure = reason
    }

    /// Records a failure for each document whose page images are incomplete.
    ///
    /// A document that already has a failure keeps that failure.
    public mutating func failAll(because reason: String) {
        for number in documents.indices {
            let document = documents[number]
            let expected = min(document.sides, document.imageLimit)
            let isComplete = document.details != nil && document.images.count >= expected
            if !isComplete, document.failure == nil { documents[number].failure = reason }
        }
    }

    // MARK: Keys

    /// Changes the shown page according to a key.
    public mutating func handle(_ key: PageKey) {
        switch key {
        case .nextPage:
            if side < document.sides { side += 1 } else { moveDocument(by: 1) }
        case .previousPage:
            if side > 1 {
                side -= 1
            } else if index > 0 {
                moveDocument(by: -1)
                side = max(1, document.sides)
            }
        case .nextDocument: moveDocument(by: 1)
        case .previousDocument: moveDocument(by: -1)
        case .firstPage: side = 1
        case .lastPage: side = max(1, document.sides)
        case .overview: showsOverview.toggle()
        case .print where document.isPrintable: (isPrinting, hasEnded) = (true, true)
        case .print: break
        case .quit: hasEnded = true
        }
    }

    private mutating func moveDocument(by step: Int) {
        guard documents.indices.contains(index + step) else { return }
        index += step
        side = 1
    }

    // MARK: Lines

    /// The line above the page: the document's name and properties.
    public var title: String {
        let number = documents.count > 1 ? " (\(index + 1) of \(documents.count))" : ""
        return document.name + number + (document.details.map { ": " + $0 } ?? "")
    }

    /// The text that replaces the page; nil if the page can be shown.
    public var note: String? {
        if image != nil { return nil }
        if let failure = document.failure { return failure }
        if document.details == nil { return "laying out …" }
        if document.sides == 0 { return "no pages" }
        return side > document.imageLimit
            ? "side \(side) is not drawn: the limit is \(document.imageLimit) sides; increase --limit" : "drawing …"
    }

    /// The line below the page: the position and the keys.
    public var status: String {
        let position = document.sides > 0 ? "side \(side) of \(document.sides) · " : ""
        let files = documents.count > 1 ? " · Tab next file · P previous file" : ""
        // A narrow terminal cuts the last keys.
        let printing = document.isPrintable ? "Ctrl-P print · " : ""
        return "\(position)\(printing)n next · p previous\(files) · t \(showsOverview ? "page" : "thumbnails") · q quit"
    }
}
