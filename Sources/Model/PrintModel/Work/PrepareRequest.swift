// Defines the request to convert documents into one PDF.

/// A request to convert documents into one PDF for a printer.
public struct PrepareRequest: Hashable, Sendable, Codable {
    /// The documents, in order; each document starts on a new sheet unless the imposition joins the documents.
    public var documents: [InputDocument]
    /// The layout of the pages.
    public var imposition: Imposition
    /// The path of the PDF.
    ///
    /// The file is created atomically.
    public var output: String
    /// Whether the request fails when a page cannot be printed unchanged (IPP `ipp-attribute-fidelity`); otherwise a
    /// notice is printed instead of the page.
    public var requiresFidelity: Bool
    /// The printer and owner for which the request is made; a worker pool schedules the requests of all printers and
    /// owners fairly.
    public var origin: WorkOrigin?
    /// The layout of documents that define no pages; nil for the default layout on the paper of `imposition`.
    public var conversion: ConversionLayout?

    /// Creates a request.
    public init(
        documents: [InputDocument], imposition: Imposition, output: String, requiresFidelity: Bool = false
    ) {
        self.documents = documents
        self.imposition = imposition
        self.output = output
        self.requiresFidelity = requiresFidelity
    }
}

/// The result of `prepare`.
public struct PreparedDocument: Hashable, Sendable, Codable {
    /// The number of sides of the PDF, including blank padding.
    public var impressions: Int
    /// The number of sheets, including the copies in the PDF.
    public var sheets: Int
    /// The number of selected pages of the documents, for one copy.
    public var pages: Int
    /// The sheets of one copy that have a blank back, counted from 0 in page order.
    public var blankBacks: [Int]
    /// The repaired, replaced or omitted content, one sentence each, for users.
    public var notices: [String]

    /// Creates a result.
    public init(impressions: Int, sheets: Int, pages: Int, blankBacks: [Int] = [], notices: [String] = []) {
        self.impressions = impressions
        self.sheets = sheets
        self.pages = pages
        self.blankBacks = blankBacks
        self.notices = notices
    }
}
