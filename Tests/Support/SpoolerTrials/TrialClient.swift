// Sends requests to printd, and repeats them until printd responds.

package import IPP
package import IPPClient
package import IPPNetworkClient
import PrintModel
package import SpoolerClient

/// A client for a printd that may be killed at any time.
package struct TrialClient: Sendable {
    private let client: IPPClient
    private let user: String
    /// The time limit for repeating a request without a response.
    package var timeout: Duration = .seconds(60)

    /// Creates a client with a separate connection.
    package init(_ client: IPPClient, user: String = "tester") {
        self.client = client
        self.user = user
    }

    /// The spooler client over the same connection.
    ///
    /// The client does not start printd.
    package var queue: Spooler {
        Spooler(client: client, user: user) { () throws(SpoolerClientError) in
            throw SpoolerClientError(.unavailable, "printd is not running")
        }
    }

    /// Closes the connection.
    package func close() async { await client.close() }

    /// Sends a request once.
    ///
    /// - Throws: The error of the request.
    package func send(
        _ operation: Operation, printer: String? = nil, job: Int? = nil, attributes: [Attribute] = [],
        requested: [String]? = nil, ticket: [Attribute] = [], document: [UInt8]? = nil
    ) async throws(IPPClientError) -> Message {
        var message = Message.request(
            operation, printer: printer, job: job, user: user, attributes: attributes, requested: requested)
        if !ticket.isEmpty { message.groups.append(AttributeGroup(.job, ticket)) }
        return try await client.send(message, document: document.map { .bytes($0) })
    }

    /// Sends a request repeatedly until printd responds.
    ///
    /// - Parameter lost: A function that is called when a request may have been received but its response was lost.
    package func insist(
        _ operation: Operation, printer: String? = nil, job: Int? = nil, attributes: [Attribute] = [],
        requested: [String]? = nil, ticket: [Attribute] = [], document: [UInt8]? = nil, lost: () -> Void = {}
    ) async throws -> Message {
        let end = ContinuousClock.now + timeout
        while true {
            do throws(IPPClientError) {
                return try await send(
                    operation, printer: printer, job: job, attributes: attributes, requested: requested,
                    ticket: ticket, document: document)
            } catch {
                if error.mayHaveBeenReceived { lost() }
                guard ContinuousClock.now < end, error.code != .badRequest else { throw error }
            }
            // Clients get no notification when printd is back.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Returns a job's attributes; nil if the job does not exist.
    package func job(_ id: Int, _ names: [String]) async throws -> AttributeGroup? {
        try await insist(.getJobAttributes, job: id, requested: names)[.job]
    }

    /// Returns the jobs of the queue.
    package func jobs(_ which: JobSelection) async throws -> [Evidence.QueuedJob] {
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
    /// Creates a job from its attributes; returns nil if its number, UUID or state is missing.
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
