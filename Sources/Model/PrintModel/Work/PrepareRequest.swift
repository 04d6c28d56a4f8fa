// Defines the request to convert documents into one PDF.

/// A request to convert documents into one PDF for a printer.
public struct PrepareRequest: Hashable, Sendable, Codable {
    /// The documents, in order.
    ///
    /// Each document starts on a new sheet unless the imposition joins the documents.
    public var documents: [InputDocument]
    /// The layout of the pages on sheets.
    public var imposition: Imposition
    /// The path of the PDF.
    ///
    /// The file is created atomically.
    public var output: String
    /// Whether the request fails when a page cannot be printed unchanged (IPP `ipp-attribute-fidelity`).
    ///
    /// If false, a notice is printed instead of the page.
    public var requiresFidelity: Bool
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    ///
    /// A worker pool schedules the requests of all printers and owners fairly.
    public var origin: WorkOrigin?
    /// The layout of documents that define no pages; nil means the default layout on the paper of `imposition`.
    public var conversion: ConversionLayout?

    /// Creates a request to prepare documents for a printer.
    public init(
        documents: [InputDocument], imposition: Imposition, output: String, requiresFidelity: Bool = false
    ) {
        self.documents = documents
        self.imposition = imposition
        self.output = output
        self.requiresFidelity = requiresFidelity
    }
}

extension PrepareRequest: WorkerTaskRequest {
    /// The files and the origin of the request.
    package var workerFiles: WorkerFiles {
        get { WorkerFiles(documents: documents, output: WorkerFiles.Output(file: output), origin: origin) }
        set { (documents, output, origin) = (newValue.documents, newValue.output?.file ?? "", newValue.origin) }
    }
}

/// The result of a request to prepare documents.
public struct PreparedDocument: Hashable, Sendable, Codable {
    /// The number of sides of the PDF, including blank padding.
    public var impressions: Int
    /// The number of sheets, including the copies in the PDF.
    public var sheets: Int
    /// The number of selected pages of the documents, for one copy.
    public var pages: Int
    /// The sheets of one copy that have a blank back, as zero-based positions in page order.
    public var blankBacks: [Int]
    /// Notices about repaired, replaced or omitted content, one sentence each, for users.
    public var notices: [String]
    /// Remarks about replacements that do not change the layout of the pages (`ConvertedDocument.notes`).
    ///
    /// Workers do not send the remarks.
    public var notes: [String] = []

    /// Creates the result of a request to prepare documents.
    public init(impressions: Int, sheets: Int, pages: Int, blankBacks: [Int] = [], notices: [String] = []) {
        self.impressions = impressions
        self.sheets = sheets
        self.pages = pages
        self.blankBacks = blankBacks
        self.notices = notices
    }

    private enum CodingKeys: String, CodingKey { case impressions, sheets, pages, blankBacks, notices }
}
