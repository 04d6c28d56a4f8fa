// Implements `DocumentWorking` for the worker pool.

import AsyncPrimitives
public import PrintModel
import ProcessPools

extension WorkerPool: DocumentWorking {
    /// Returns the format, page count and other properties of a document.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        guard case .inspected(let summary) = try await perform(.inspect(document)) else { throw Self.mismatch }
        return summary
    }

    /// Converts documents, and imposes their pages on the sides of one PDF for a printer.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        try await inWorkFolder(for: request.output) { output throws(WorkError) in
            var inner = request
            inner.output = output
            guard case .prepared(let document) = try await perform(.prepare(inner), progress: progress) else {
                throw Self.mismatch
            }
            return document
        }
    }

    /// Makes a PDF in a new folder, the only folder that its worker can write to, and moves the PDF to its final path.
    private func inWorkFolder<Made>(
        for output: String, _ make: (String) async throws(WorkError) -> Made
    ) async throws(WorkError) -> Made {
        UnfinishedFiles.remove(of: [output])
        let folder = try ConversionFolder(besides: output)
        defer { folder.remove() }
        let made = try await make(folder.output)
        guard try folder.moveOutput(to: output, limit: .max) else { throw Self.noOutput }
        return made
    }

    /// The error for a worker that reports success, but has created no file.
    static let noOutput = WorkError(
        .workerCrashed, "the worker created no pages; the document may be malicious")

    /// Renders pages of a prepared PDF for a printer that does not accept PDF.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        try await WorkTime.shared { () async throws(WorkError) in
            try await RenderWork(pool: self, request: request, progress: progress).run()
        }
    }

    /// Converts a document to page images, which show the printed pages of a simulated printer.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        try await WorkTime.shared { () async throws(WorkError) in
            try await PageImageWork(pool: self, request: request, progress: progress).run()
        }
    }
}

extension WorkerPool: DocumentConverting {
    /// Returns the media type of a document; nil if the type is unknown.
    public func identify(_ document: InputDocument) async throws(WorkError) -> DocumentFormat? {
        guard case .identified(let format) = try await perform(.identify(document)) else { throw Self.mismatch }
        return format
    }

    /// Converts a document into a PDF with a converter of `print-worker`.
    public func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument {
        try await inWorkFolder(for: request.output) { output throws(WorkError) in
            var inner = request
            inner.output = output
            guard case .converted(let document) = try await perform(.convert(inner)) else { throw Self.mismatch }
            return document
        }
    }
}
