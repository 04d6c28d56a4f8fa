// Records requests and promises in a simulation, independently of the spool.

import PrintModel

/// A record of the requests and promises in a simulation, independent of the spool.
final class Ledger: @unchecked Sendable {
    // Unchecked, because the class is only used on the loop's thread.

    /// The causes that can end a job before it is printed, or make its result uncertain.
    enum Cause: Hashable {
        case canceledAtDevice
        /// The printer aborted the job, and the printer's setting is to abort such jobs.
        case abortedAtDevice
        /// The printer cannot read the document.
        case unreadable
        case forgotten, refused, worker
    }

    /// Returns the owner of an order, which is the client in the order's name.
    static func owner(of name: String) -> String { String(name.prefix { $0 != "-" }) }

    /// A submission that must be printed once; its name is the job name.
    struct Order {
        let name: String
        /// The printer to which the order was first sent.
        let printer: String
        let priority: Int
        /// Whether the order can be submitted again safely.
        let hasSubmissionID: Bool
        /// The marks of the acknowledged documents.
        var marks: [String] = []
        /// Whether an unacknowledged document may have been received.
        var isVague = false
        /// The ID that the spooler assigned.
        var id: Int?
        /// Whether the spooler has acknowledged all documents.
        var isComplete = false
        /// Whether a response to the submission was lost, so that the job may exist unacknowledged.
        var mayExist = false
        /// Whether the order was submitted with one request and not changed later.
        ///
        /// Such jobs must be printed in order of submission.
        var isPlain = true
        /// The number of requests to cancel the job.
        var cancels = 0
        /// The number of requests to print the job again after an uncertain result.
        var reprints = 0
        /// The number of times that the printer aborted the job and the setting continued the job.
        var continuations = 0
        var causes: Set<Cause> = []
    }

    private(set) var orders: [String: Order] = [:]
    /// The names in order of creation.
    private(set) var names: [String] = []
    /// The greatest assigned ID.
    private(set) var greatestID = 0
    /// The causes of jobs that are known only by ID.
    private(set) var causesByID: [Int: Set<Cause>] = [:]
    /// The violations: IDs that were assigned twice or out of order.
    private(set) var faults: [String] = []

    /// Adds an order.
    func open(_ order: Order) {
        orders[order.name] = order
        names.append(order.name)
    }

    /// Changes an order.
    func note(_ name: String, _ change: (inout Order) -> Void) {
        guard var order = orders[name] else { return }
        change(&order)
        orders[name] = order
    }

    /// Records the ID of an order; `floor` is the greatest ID that had been assigned at its first submission.
    func acknowledge(_ name: String, id: Int, above floor: Int) {
        if let known = orders[name]?.id, known != id { faults.append("\(name) is job \(known) and job \(id)") }
        if let other = orders.values.first(where: { $0.id == id && $0.name != name }) {
            faults.append("job \(id) is \(other.name) and \(name)")
        }
        if id <= floor { faults.append("\(name) is job \(id), although job \(floor) existed before") }
        greatestID = max(greatestID, id)
        note(name) { $0.id = id }
    }

    /// Records a cause why an order may not be printed.
    func blame(_ cause: Cause, name: String) { note(name) { $0.causes.insert(cause) } }

    /// Records a cause why the job whose folder contains a file may not be printed.
    func blame(_ cause: Cause, jobFolder path: String) {
        let parts = path.split(separator: "/")
        guard parts.count >= 2, let id = Int(parts[parts.count - 2]) else { return }
        causesByID[id, default: []].insert(cause)
    }

    /// Checks a delivery against the record.
    func sawDelivery(of request: DeliveryRequest) {
        guard let order = orders[request.name] else {
            faults.append("job \(request.jobID) '\(request.name)' was not submitted")
            return
        }
        if let id = order.id, id != request.jobID {
            faults.append("\(request.name) is delivered as job \(request.jobID), but is job \(id)")
        }
    }
}
