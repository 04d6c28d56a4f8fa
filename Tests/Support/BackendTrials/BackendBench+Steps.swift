// Helper functions of the backend trials.

import PrintModel
import Testing

/// The error for a job that does not reach the expected status in time.
struct TrialTimeout: Error, CustomStringConvertible { var description: String }

extension BackendBench {
    /// Creates a job with a name, without its document.
    func create(_ name: String, by backend: any PrinterBackend) async throws -> RemoteJob {
        try await backend.createJob(DeliveryRequest(jobID: 1, name: name, owner: "ada", options: options))
    }

    /// Creates a job with a name and sends a document of three pages.
    func deliver(_ name: String, by backend: any PrinterBackend) async throws -> RemoteJob {
        let remote = try await create(name, by: backend)
        try await backend.sendDocument(document(pages: 3), format: format, to: remote)
        return remote
    }

    /// Returns the status of a job when the condition holds; the number of printed sides must never decrease.
    func status(
        of job: RemoteJob, by backend: any PrinterBackend, when isSo: (RemoteJobStatus) -> Bool
    ) async throws -> RemoteJobStatus {
        let end = ContinuousClock.now + .seconds(60)
        var sides = 0
        var last: RemoteJobStatus?
        while ContinuousClock.now < end {
            let status = try #require(try await backend.jobStatus(job), "the printer does not know job \(job.id)")
            #expect((status.impressionsCompleted ?? sides) >= sides)
            sides = status.impressionsCompleted ?? sides
            if isSo(status) { return status }
            last = status
            _ = try await backend.waitForNews(of: job, orAfter: .milliseconds(20), by: ContinuousClock())
        }
        throw TrialTimeout(description: "timed out: job \(job.id) is still \(last as Any)")
    }

    /// Returns the final status of a job.
    func ended(_ job: RemoteJob, by backend: any PrinterBackend) async throws -> RemoteJobStatus {
        try await status(of: job, by: backend) { $0.state.isTerminal }
    }

    /// Returns the error of a request; nil if the request succeeds.
    func failure(_ request: () async throws -> Void) async -> BackendError? {
        do {
            try await request()
            return nil
        } catch {
            if let error = error as? BackendError { return error }
            Issue.record("a backend must throw BackendError, not \(error)")
            return nil
        }
    }

    /// Expects that exactly these jobs were printed, with the given numbers of sides.
    func expectPaper(_ expected: [String: [Int]], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let paper = Dictionary(grouping: try await paper(), by: \.name).mapValues { $0.map(\.sides) }
        #expect(paper == expected, sourceLocation: sourceLocation)
    }
}
