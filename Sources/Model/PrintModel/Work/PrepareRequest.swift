// Defines the request to convert documents into one PDF.

/// A request to convert documents into one PDF for a printer.
public struct PrepareRequest: Hashable, Sendable, Codable {
    /// Each document starts on a new sheet unless the imposition joins the documents.
    package var documents: [InputDocument]
    package var imposition: Imposition
    /// The path of the PDF.
    ///
    /// The file is created atomically.
    package var output: String
    /// Whether the request fails when a page cannot be printed unchanged (IPP `ipp-attribute-fidelity`).
    ///
    /// If false, a notice is printed instead of the page.
    package var requiresFidelity: Bool
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    package var origin: WorkOrigin?
    /// The texts on the cover sheets of the imposition; nil for no texts.
    package var cover: CoverText?
    /// The layout of documents that define no pages; nil means the default layout on the paper of `imposition`.
    package var conversion: ConversionLayout?

    package init(
        documents: [InputDocument], imposition: Imposition, output: String, requiresFidelity: Bool = false
    ) {
        (self.documents, self.imposition) = (documents, imposition)
        (self.output, self.requiresFidelity) = (output, requiresFidelity)
    }
}

extension PrepareRequest: WorkerTaskRequest {
    package var workerFiles: WorkerFiles {
        get { WorkerFiles(documents: documents, output: WorkerFiles.Output(file: output), origin: origin) }
        set { (documents, output, origin) = (newValue.documents, newValue.output?.file ?? "", newValue.origin) }
    }
}

/// The result of a request to prepare documents.
public struct PreparedDocument: Hashable, Sendable, Codable {
    /// The number of sides of the PDF, including blank padding.
    package var impressions: Int
    /// The number of sheets, including the copies in the PDF.
    package var sheets: Int
    /// The number of selected pages of the documents, for one copy.
    package var pages: Int
    /// The sheets of one copy that have a blank back, as zero-based positions in page order.
    package var blankBacks: [Int]
    /// Notices about repaired, replaced or omitted content, one sentence each, for users.
    package var notices: [String]
    /// Remarks about replacements that do not change the layout of the pages (`ConvertedDocument.notes`).
    ///
    /// Workers do not send the remarks.
    package var notes: [String] = []
    /// The pieces of a roll on which the pages were laid out; nil for the paper of the imposition.
    package var pieces: RollPieces?

    package init(impressions: Int, sheets: Int, pages: Int, blankBacks: [Int] = [], notices: [String] = []) {
        (self.impressions, self.sheets, self.pages) = (impressions, sheets, pages)
        (self.blankBacks, self.notices) = (blankBacks, notices)
    }

    private enum CodingKeys: String, CodingKey { case impressions, sheets, pages, blankBacks, notices, pieces }
}
