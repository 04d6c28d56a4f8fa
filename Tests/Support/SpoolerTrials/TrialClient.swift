// A client of printd's that never gives up, as a client must that wants to know.

package import IPP
package import IPPClient
package import PrintqOutput
import PrintModel
package import SpoolerClient

/// Talks to a printd that may be gone at any moment.
package struct TrialClient: Sendable {
    private let client: IPPClient
    private let user: String
    /// How long to go on asking a printd that does not answer.
    package var patience: Duration = .seconds(60)

    /// A client that keeps a connection of its own.
    package init(_ client: IPPClient, user: String = "tester") {
        self.client = client
        self.user = user
    }

    /// The queue over the same connection; it does not start printd.
    package var queue: Spooler {
        Spooler(client: client, user: user) { () throws(SpoolerClientError) in
            throw SpoolerClientError(.unavailable, "printd is gone")
        }
    }

    /// Closes the connection.
    package func close() async { await client.close() }

    /// Sends a request once; throws what became of it.
    package func send(
        _ operation: Operation, printer: String? = nil, job: Int? = nil, attributes: [Attribute] = [],
        requested: [String]? = nil, ticket: [Attribute] = [], document: [UInt8]? = nil
    ) async throws(IPPClientError) -> Message {
        var message = Message.request(
            operation, printer: printer, job: job, user: user, attributes: attributes, requested: requested)
        if !ticket.isEmpty { message.groups.append(AttributeGroup(.job, ticket)) }
        return try await client.send(message, document: document.map { .bytes($0) })
    }

    /// Sends a request again and again until somebody answers.
    ///
    /// - Parameter lost: called when a request may have arrived and its answer did not.
    package func insist(
        _ operation: Operation, printer: String? = nil, job: Int? = nil, attributes: [Attribute] = [],
        requested: [String]? = nil, ticket: [Attribute] = [], document: [UInt8]? = nil, lost: () -> Void = {}
    ) async throws -> Message {
        let end = ContinuousClock.now + patience
        while true {
            do throws(IPPClientError) {
                return try await send(
                    operation, printer: printer, job: job, attributes: attributes, requested: requested,
                    ticket: ticket, document: document)
            } catch {
                if error.mayHaveBeenReceived { lost() }
                guard ContinuousClock.now < end, error.code != .badRequest else { throw error }
            }
            // Nobody tells a client when printd is back.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// A job's attributes; nil when there is no such job.
    package func job(_ id: Int, _ names: [String]) async throws -> AttributeGroup? {
        try await insist(.getJobAttributes, job: id, requested: names)[.job]
    }

    /// Jobs of the queue.
    package func jobs(_ which: JobListing.Which) async throws -> [Evidence.QueuedJob] {
        let answer = try await insist(
            .getJobs, attributes: [Attribute("which-jobs", .keyword(which.rawValue))],
            requested: [
                "job-id", "job-uuid", "job-name", "job-state", "job-state-reasons", "job-state-message",
                "job-impressions",
            ])
        return answer.groups(.job).compactMap(Evidence.QueuedJob.init)
    }
}

extension Evidence.QueuedJob {
    /// The job of these attributes; nil when they do not say which.
    package init?(_ group: AttributeGroup) {
        guard let id = group.integer("job-id"), let uuid = group.string("job-uuid"),
            let state = group.integer("job-state").flatMap({ JobState(rawValue: Int($0)) })
        else { return nil }
        self.init(
            id: Int(id), uuid: uuid, name: group.string("job-name") ?? "", state: state,
            reasons: group.keywords("job-state-reasons").filter { $0 != "none" },
            message: group.string("job-state-message") ?? "",
            impressions: group.integer("job-impressions").map(Int.init))
    }
}
