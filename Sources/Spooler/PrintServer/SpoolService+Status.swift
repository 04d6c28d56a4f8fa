// Returns the state of the queue as attributes, for `printq status`.

import IPP
import PrintIPP
import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns the requested status attributes.
    ///
    /// The supported attributes are:
    /// - `printq-job-counts`: a collection with the number of unfinished jobs in each state
    /// - `printq-oldest-waiting-job`: a job number
    /// - `printq-schema-version`
    ///
    /// The result omits an attribute if the database cannot be read.
    func statusAttributes(requested: RequestedAttributes) async -> [Attribute] {
        var attributes: [Attribute] = []
        if requested.names("printq-job-counts"), let counts = try? await spool.countUnfinishedJobs() {
            attributes.append(Attribute("printq-job-counts", .collection(Self.collection(of: counts))))
        }
        if requested.names("printq-oldest-waiting-job"), let job = try? await spool.oldestWaitingJob() {
            attributes.append(Attribute("printq-oldest-waiting-job", .integer(Int32(clamping: job))))
        }
        if requested.names("printq-schema-version"), let version = try? await spool.schemaVersion() {
            attributes.append(Attribute("printq-schema-version", .text(version)))
        }
        return attributes
    }

    private static func collection(of counts: [JobCount]) -> Collection {
        Collection(
            JobState.allCases.filter { !$0.isTerminal }.map { state in
                let number = counts.filter { $0.state == state }.reduce(0) { $0 + $1.jobs }
                return Attribute("\(state)", .integer(Int32(clamping: number)))
            })
    }
}
