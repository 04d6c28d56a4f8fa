// What was asked for and promised in a world, apart from what the spool says of it.

import PrintModel

/// What was asked for and promised in a world, apart from what the spool says of it.
final class Ledger: @unchecked Sendable {
    // Unchecked: used on the loop's thread alone.

    /// Who or what can end a job before it is printed, or make it doubtful.
    enum Cause: Hashable {
        case canceledAtDevice
        /// Its printer gave it up, and the printer's setting is to abort such jobs.
        case abortedAtDevice
        /// Its printer cannot read its document.
        case unreadable
        case forgotten, refused, worker
    }

    /// One thing that somebody wants printed once; its name is the job's.
    struct Order {
        let name: String
        /// The printer it was sent to first.
        let printer: String
        let priority: Int
        /// Whether repeating it is safe.
        let hasSubmissionID: Bool
        /// The marks of its documents as far as they were acknowledged.
        var marks: [String] = []
        /// Whether a document may be there that was not acknowledged.
        var isVague = false
        /// The id that the spooler gave it.
        var id: Int?
        /// Whether the spooler said that it has all of it.
        var isComplete = false
        /// Whether an answer to its submission was lost, so that it may exist unacknowledged.
        var mayExist = false
        /// Submitted whole and then left alone: what is first come, first served.
        var isPlain = true
        /// How often somebody asked for a cancel.
        var cancels = 0
        /// How often somebody who saw the doubt asked for another print.
        var reprints = 0
        /// How often a printer gave it up whose setting is to go on by itself.
        var continuations = 0
        var causes: Set<Cause> = []
    }

    private(set) var orders: [String: Order] = [:]
    /// The names in the order in which they came.
    private(set) var names: [String] = []
    /// The greatest id given out so far.
    private(set) var greatestID = 0
    /// The causes known by a job's id alone.
    private(set) var causesByID: [Int: Set<Cause>] = [:]
    /// Ids that were given out to a second order, or out of order.
    private(set) var faults: [String] = []

    /// A new order.
    func open(_ order: Order) {
        orders[order.name] = order
        names.append(order.name)
    }

    /// Notes something about an order.
    func note(_ name: String, _ change: (inout Order) -> Void) {
        guard var order = orders[name] else { return }
        change(&order)
        orders[name] = order
    }

    /// Notes the id of an order; `floor` is the greatest that had been given out when it was first asked for.
    func acknowledge(_ name: String, id: Int, above floor: Int) {
        if let known = orders[name]?.id, known != id { faults.append("\(name) is job \(known) and job \(id)") }
        if let other = orders.values.first(where: { $0.id == id && $0.name != name }) {
            faults.append("job \(id) is \(other.name) and \(name)")
        }
        if id <= floor { faults.append("\(name) is job \(id), though job \(floor) was there before") }
        greatestID = max(greatestID, id)
        note(name) { $0.id = id }
    }

    /// Notes why an order may not be printed.
    func blame(_ cause: Cause, name: String) { note(name) { $0.causes.insert(cause) } }

    /// Notes why a job whose folder holds that file may not be printed.
    func blame(_ cause: Cause, jobFolder path: String) {
        let parts = path.split(separator: "/")
        guard parts.count >= 2, let id = Int(parts[parts.count - 2]) else { return }
        causesByID[id, default: []].insert(cause)
    }

    /// Checks a delivery against what is known.
    func sawDelivery(of request: DeliveryRequest) {
        guard let order = orders[request.name] else {
            faults.append("job \(request.jobID) '\(request.name)' was ordered by nobody")
            return
        }
        if let id = order.id, id != request.jobID {
            faults.append("\(request.name) is delivered as job \(request.jobID), and is job \(id)")
        }
    }
}
