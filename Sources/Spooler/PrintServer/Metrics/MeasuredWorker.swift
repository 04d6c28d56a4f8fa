// Measures the preparation of documents.

package import CoreMetrics
package import PrintModel

/// A worker that forwards requests to another worker, and records the durations and failures of the requests.
package struct MeasuredWorker: DocumentWorking {
    private let worker: any DocumentWorking
    private let metrics: any MetricsFactory
    private let clock = ContinuousClock()

    /// Creates a worker that forwards requests to `worker`, and records metrics with `metrics`.
    package init(_ worker: any DocumentWorking, metrics: any MetricsFactory) {
        self.worker = worker
        self.metrics = metrics
    }

    package func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        try await measured("inspect", printer: nil) { () throws(WorkError) in try await worker.inspect(document) }
    }

    /// Converts documents to one PDF for a printer, and imposes the document pages on the printed sides.
    package func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        try await measured("prepare", printer: request.origin?.printer) { () throws(WorkError) in
            try await worker.prepare(request, progress: progress)
        }
    }

    /// Converts pages of a prepared PDF to the format of a printer that does not support PDF.
    package func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        try await measured("render", printer: request.origin?.printer) { () throws(WorkError) in
            try await worker.render(request, progress: progress)
        }
    }

    /// Converts a document into page images.
    package func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        try await measured("rasterize", printer: nil) { () throws(WorkError) in
            try await worker.rasterize(request, progress: progress)
        }
    }

    /// Runs a request, and records its duration and its error.
    ///
    /// A canceled request is not recorded.
    private func measured<Result>(
        _ operation: String, printer: String?, _ body: () async throws(WorkError) -> Result
    ) async throws(WorkError) -> Result {
        let start = clock.now
        do throws(WorkError) {
            let result = try await body()
            if let printer {
                Timer(
                    label: SpoolMetrics.prepareTime, dimensions: [("printer", printer), ("operation", operation)],
                    factory: metrics
                ).recordNanoseconds((clock.now - start).nanoseconds)
            }
            return result
        } catch {
            if error.code != .canceled {
                Counter(
                    label: SpoolMetrics.workerFailures,
                    dimensions: [("operation", operation), ("error", error.code.rawValue)], factory: metrics
                ).increment()
            }
            throw error
        }
    }
}

extension Duration {
    /// The number of whole nanoseconds in the duration.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000
    }
}
