// Defines the request to convert pages of a prepared PDF into pixels.

/// A request to convert pages of a prepared PDF into the printer's format.
///
/// Several workers share a long document. Each worker converts some pages of the document.
public struct RenderRequest: Hashable, Sendable, Codable {
    /// The path of the prepared PDF.
    public var document: String
    /// The folder of the output files; nil for the folder of the prepared PDF (`DeliveryFormat.files`).
    package var folder: String?
    /// The pages to convert, counted from 1.
    public var pages: ClosedRange<Int>
    /// The number of pages of the prepared PDF.
    public var pageCount: Int
    /// The output format.
    public var delivery: DeliveryFormat
    /// The options that the printer applies.
    ///
    /// Raster formats contain these options in each page header.
    public var options: DeviceOptions
    /// The length, in bytes, of the finished pages in the output file of this request.
    ///
    /// Bytes after the finished pages are overwritten.
    package var offset = 0
    /// The path of the output file of this request; nil to write to the final file (`files`).
    package var partFile: String?
    /// The fallbacks for pages that the first renderer cannot draw.
    ///
    /// The keys are the page numbers.
    package var fallbacks: [Int: RenderingFallback] = [:]
    /// Whether the request fails when a page cannot be drawn (IPP `ipp-attribute-fidelity`).
    ///
    /// If false, the page shows a notice.
    public var requiresFidelity: Bool
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    ///
    /// A worker pool schedules the requests of all printers and owners fairly.
    public var origin: WorkOrigin?

    /// Creates a request to convert pages of a prepared PDF.
    public init(
        document: String, pages: ClosedRange<Int>, pageCount: Int, delivery: DeliveryFormat, options: DeviceOptions,
        requiresFidelity: Bool = false
    ) {
        self.document = document
        self.pages = pages
        self.pageCount = pageCount
        self.delivery = delivery
        self.options = options
        self.requiresFidelity = requiresFidelity
    }

    /// The paths of all output files.
    public var files: [String] {
        let name = document.split(separator: "/").last ?? ""
        return delivery.files(of: folder.map { "\($0)/\(name)" } ?? document, pages: pageCount)
    }
}

extension RenderRequest: WorkerTaskRequest {
    /// The files and the origin of the request.
    package var workerFiles: WorkerFiles {
        get {
            let output = WorkerFiles.Output(folder: folder ?? WorkerRequest.folder(of: document), file: partFile)
            return WorkerFiles(documents: [InputDocument(path: document)], output: output, origin: origin)
        }
        set {
            (document, origin) = (newValue.document.path, newValue.origin)
            (folder, partFile) = (newValue.output?.folder, newValue.output?.file)
        }
    }
}

/// The result of a request to convert pages of a prepared PDF.
public struct RenderedDocument: Hashable, Sendable, Codable {
    /// The length of the output, in bytes.
    public var bytes: Int
    /// Notices about replaced or omitted content, one sentence each, for users.
    public var notices: [String]

    /// Creates the result of a request to convert pages of a prepared PDF.
    public init(bytes: Int, notices: [String] = []) {
        self.bytes = bytes
        self.notices = notices
    }
}
