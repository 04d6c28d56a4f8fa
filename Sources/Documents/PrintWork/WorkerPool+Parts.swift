// Divides requests between several workers.

import PrintModel

extension WorkerPool {
    /// Serves a request for page images with one worker.
    func answer(
        to request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(WorkError) -> RasterizedDocument {
        guard case .rasterized(let document) = try await perform(.rasterize(request), progress: progress) else {
            throw Self.mismatch
        }
        return document
    }

    /// Serves a request for rendered pages with one worker.
    func answer(
        to request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        guard case .rendered(let document) = try await perform(.render(request), progress: progress) else {
            throw Self.mismatch
        }
        return document
    }

    /// Processes parts of a document in parallel, up to the number of concurrent requests of the pool.
    ///
    /// Parts alternate with the requests for other printers, so a long document does not block other printers.
    ///
    /// - Returns: The results of the parts, in the order of the parts.
    /// - Throws: The first error. The function then cancels the other parts.
    func inParallel<Part: Sendable, Made: Sendable>(
        _ parts: [Part], _ make: @escaping @Sendable (Part) async throws(WorkError) -> Made
    ) async throws(WorkError) -> [Made] {
        let result = await withTaskGroup(of: (Int, Result<Made, WorkError>).self) { group in
            var made: [Int: Made] = [:]
            var waiting = parts.enumerated().makeIterator()
            func addNext() {
                guard let (index, part) = waiting.next() else { return }
                group.addTask {
                    do throws(WorkError) { return (index, .success(try await make(part))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for _ in 0..<concurrent { addNext() }
            for await (index, result) in group {
                switch result {
                case .success(let part): made[index] = part
                case .failure(let error):
                    group.cancelAll()
                    return Result<[Made], WorkError>.failure(error)
                }
                addNext()
            }
            return .success(made.sorted { $0.key < $1.key }.map(\.value))
        }
        return try result.get()
    }
}
