// Submits several requests, or several documents in one request.

extension PrintDestination {
    /// Submits print requests in order.
    ///
    /// Each request is submitted after the previous request was accepted or has ended.
    ///
    /// A request that fails or is canceled does not affect the other requests. When the task is canceled, no further
    /// request is submitted.
    ///
    /// - Parameter report: A closure that receives the index of the request and the progress of its job. The closure
    ///   can be called from any thread.
    /// - Returns: The result of each request, after all jobs have ended.
    func submit(
        _ requests: [PrintRequest], to printer: Printer, report: @escaping @Sendable (Int, PrintReport) -> Void
    ) async -> [Result<PrintEnd, any Error>] {
        await withTaskGroup(of: (Int, Result<PrintEnd, any Error>).self) { group in
            for (index, request) in requests.enumerated() where !Task.isCancelled {
                let (acceptance, continuation) = AsyncStream<Never>.makeStream()
                group.addTask {
                    defer { continuation.finish() }
                    do {
                        let end = try await submit(request, to: printer) { news in
                            report(index, news)
                            if case .accepted = news { continuation.finish() }
                        }
                        return (index, .success(end))
                    } catch {
                        return (index, .failure(error))
                    }
                }
                for await _ in acceptance {}
            }
            var ends = [Result<PrintEnd, any Error>](repeating: .success(.canceled), count: requests.count)
            for await (index, end) in group { ends[index] = end }
            return ends
        }
    }
}

extension PrintRequest {
    /// The paths of all documents.
    var paths: [String] { [documentPath] + furtherDocuments.map(\.path) }

    /// Returns the requests as one request with several documents; an empty array for no request.
    ///
    /// Drawn pages have the size of the paper, so they keep their size with the automatic scaling of other documents.
    static func combined(_ requests: [PrintRequest]) -> [PrintRequest] {
        guard var request = requests.first else { return [] }
        if requests.contains(where: { $0.ticket.scaling != request.ticket.scaling }) { request.ticket.scaling = nil }
        request.furtherDocuments = requests.dropFirst().map {
            Document(path: $0.documentPath, format: $0.documentFormat, pageCount: $0.pageCount)
        }
        return [request]
    }
}
