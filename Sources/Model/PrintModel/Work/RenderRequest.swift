// Defines the request to convert pages of a prepared PDF into pixels.

/// A request to convert pages of a prepared PDF into the printer's format.
///
/// Several workers share a long document. Each worker converts some pages of the document.
public struct RenderRequest: Hashable, Sendable, Codable {
    package var document: String
    /// The folder of the output files; nil for the folder of the prepared PDF (`DeliveryFormat.files`).
    package var folder: String?
    /// The pages to convert, counted from 1.
    package var pages: ClosedRange<Int>
    package var pageCount: Int
    package var delivery: DeliveryFormat
    /// Raster formats contain these options in each page header.
    package var options: DeviceOptions
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
    package var requiresFidelity: Bool
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    package var origin: WorkOrigin?

    package init(
        document: String, pages: ClosedRange<Int>, pageCount: Int, delivery: DeliveryFormat, options: DeviceOptions,
        requiresFidelity: Bool = false
    ) {
        (self.document, self.pages, self.pageCount) = (document, pages, pageCount)
        (self.delivery, self.options, self.requiresFidelity) = (delivery, options, requiresFidelity)
    }

    package var files: [String] {
        let name = document.split(separator: "/").last ?? ""
        return delivery.files(of: folder.map { "\($0)/\(name)" } ?? document, pages: pageCount)
    }
}

extension RenderRequest: WorkerTaskRequest {
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
    package var bytes: Int
    /// Notices about replaced or omitted content, one sentence each, for users.
    package var notices: [String]

    /// Creates the result of a request to convert pages of a prepared PDF.
    package init(bytes: Int, notices: [String] = []) {
        self.bytes = bytes
        self.notices = notices
    }
}
