// What trials share.

import PrintModel
import Testing

/// A job that does not come to where a trial waits for it.
struct TrialTimeout: Error, CustomStringConvertible { var description: String }

extension BackendBench {
    /// Makes a job of a name, without its document.
    func create(_ name: String, by backend: any PrinterBackend) async throws -> RemoteJob {
        try await backend.createJob(DeliveryRequest(jobID: 1, name: name, owner: "ada", options: options))
    }

    /// Makes a job of a name and sends it three pages.
    func deliver(_ name: String, by backend: any PrinterBackend) async throws -> RemoteJob {
        let remote = try await create(name, by: backend)
        try await backend.sendDocument(document(pages: 3), format: format, to: remote)
        return remote
    }

    /// The status of a job, as soon as it is as wanted; its sides never go back.
    func status(
        of job: RemoteJob, by backend: any PrinterBackend, when isSo: (RemoteJobStatus) -> Bool
    ) async throws -> RemoteJobStatus {
        let end = ContinuousClock.now + .seconds(60)
        var sides = 0
        var last: RemoteJobStatus?
        while ContinuousClock.now < end {
            let status = try #require(try await backend.jobStatus(job), "the printer has forgotten job \(job.id)")
            #expect((status.impressionsCompleted ?? sides) >= sides)
            sides = status.impressionsCompleted ?? sides
            if isSo(status) { return status }
            last = status
            _ = try await backend.waitForNews(of: job, orAfter: .milliseconds(20), by: ContinuousClock())
        }
        throw TrialTimeout(description: "job \(job.id) stays \(last as Any)")
    }

    /// How a job has ended.
    func ended(_ job: RemoteJob, by backend: any PrinterBackend) async throws -> RemoteJobStatus {
        try await status(of: job, by: backend) { $0.state.isTerminal }
    }

    /// What a request fails with; nil when it does not.
    func failure(_ request: () async throws -> Void) async -> BackendError? {
        do {
            try await request()
            return nil
        } catch {
            if let error = error as? BackendError { return error }
            Issue.record("a backend throws BackendError, not \(error)")
            return nil
        }
    }

    /// Expects nothing else on paper than these jobs, with so many sides each.
    func expectPaper(_ expected: [String: [Int]], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let paper = Dictionary(grouping: try await paper(), by: \.name).mapValues { $0.map(\.sides) }
        #expect(paper == expected, sourceLocation: sourceLocation)
    }
}
