// Documents that are to become one PDF for a printer.

/// Documents to be made into one PDF for a printer.
public struct PrepareRequest: Hashable, Sendable, Codable {
    /// The documents, in order; each starts on a sheet of its own.
    public var documents: [InputDocument]
    /// What is to be done to their pages.
    public var imposition: Imposition
    /// The path of the PDF to make; it appears there whole or not at all.
    public var output: String
    /// Whether the request fails when a page cannot be printed as it is (IPP `ipp-attribute-fidelity`); if not, a page with
    /// a notice takes its place.
    public var requiresFidelity: Bool
    /// Whom the work is done for; a pool of workers takes turns by it.
    public var origin: WorkOrigin?

    /// A request.
    public init(
        documents: [InputDocument], imposition: Imposition, output: String, requiresFidelity: Bool = false
    ) {
        self.documents = documents
        self.imposition = imposition
        self.output = output
        self.requiresFidelity = requiresFidelity
    }
}

/// What `prepare` made.
public struct PreparedDocument: Hashable, Sendable, Codable {
    /// The sides in the PDF, blank padding included.
    public var impressions: Int
    /// The sheets the sides make, of the copies laid out in the PDF.
    public var sheets: Int
    /// The chosen pages of the documents, of one copy.
    public var pages: Int
    /// The sheets of one copy whose back stays blank, counted from 0 in the order of the pages.
    public var blankBacks: [Int]
    /// What was repaired, replaced or left out, a sentence each, for people.
    public var notices: [String]

    /// What was made.
    public init(impressions: Int, sheets: Int, pages: Int, blankBacks: [Int] = [], notices: [String] = []) {
        self.impressions = impressions
        self.sheets = sheets
        self.pages = pages
        self.blankBacks = blankBacks
        self.notices = notices
    }
}
