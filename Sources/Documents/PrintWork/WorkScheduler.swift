// Whose request is carried out next.

import PrintModel

/// The rule by which waiting requests get the places of a pool: printers take turns, then owners, then order of arrival.
///
/// No task, no process.
///
///     var turns = WorkScheduler(places: 2)
///     turns.arrive(1, from: laser, isSmall: false)     // true: it begins
///     turns.leave(1)                                   // the requests that begin now
///
/// A printer with fewer requests at work comes before one with more; among equals, the printer that has waited longest since
/// its last turn. A request is not interrupted, so a small one could wait for the end of several large ones. Therefore one
/// place beyond the others is for small requests only.
struct WorkScheduler {
    private struct Waiting {
        let id: Int
        let printer: String
        let owner: String
        let isSmall: Bool
    }

    private struct Working {
        let printer: String
        let owner: String
        let isInReserve: Bool
    }

    /// The last turn of a printer or owner, or when it came to wait; the smallest number has waited longest.
    private struct Queue {
        var stamp: Int
        var owners: [String: Int] = [:]
    }

    private let places: Int
    private var waiting: [Waiting] = []
    private var working: [Int: Working] = [:]
    private var queues: [String: Queue] = [:]
    private var lastStamp = 0

    /// A rule for so many places, not counting the one for small requests.
    init(places: Int) { self.places = places }

    /// Adds a request, and returns whether it begins at once; else `leave` of another one returns it later.
    ///
    /// - Parameter id: A number that no other request has.
    mutating func arrive(_ id: Int, from origin: WorkOrigin?, isSmall: Bool) -> Bool {
        let (printer, owner) = (origin?.printer ?? "", origin?.owner ?? "")
        waiting.append(Waiting(id: id, printer: printer, owner: owner, isSmall: isSmall))
        lastStamp += 1
        queues[printer, default: Queue(stamp: lastStamp)].owners[owner, default: lastStamp] += 0
        return begin().contains(id)
    }

    /// Ends a request that has begun, and returns the requests that begin now.
    mutating func leave(_ id: Int) -> [Int] {
        guard let ended = working.removeValue(forKey: id) else { return [] }
        noteTurn(of: ended.printer, ended.owner)
        return begin()
    }

    /// Removes a request that waits, and returns whether there was one.
    mutating func cancel(_ id: Int) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        remove(at: index)
        return true
    }

    private mutating func begin() -> [Int] {
        var begun: [Int] = []
        while let (index, isInReserve) = next() {
            let request = waiting[index]
            working[request.id] = Working(printer: request.printer, owner: request.owner, isInReserve: isInReserve)
            noteTurn(of: request.printer, request.owner)
            remove(at: index)
            begun.append(request.id)
        }
        return begun
    }

    /// Puts a printer and an owner behind all others; both the begin and the end of a request count as a turn.
    private mutating func noteTurn(of printer: String, _ owner: String) {
        lastStamp += 1
        queues[printer]?.stamp = lastStamp
        if queues[printer]?.owners[owner] != nil { queues[printer]?.owners[owner] = lastStamp }
    }

    /// The request that is to begin, and whether in the place for small ones; nil when there is none, or no place for it.
    private func next() -> (index: Int, isInReserve: Bool)? {
        if working.values.count(where: { !$0.isInReserve }) < places {
            return first { _ in true }.map { ($0, false) }
        }
        if working.values.contains(where: \.isInReserve) { return nil }
        return first(where: \.isSmall).map { ($0, true) }
    }

    private func first(where isMeant: (Waiting) -> Bool) -> Int? {
        let atPrinters = Dictionary(grouping: working.values, by: \.printer)
        func rank(_ request: Waiting) -> [Int] {
            let others = atPrinters[request.printer] ?? []
            let queue = queues[request.printer]
            return [
                others.count, queue?.stamp ?? 0, others.count { $0.owner == request.owner },
                queue?.owners[request.owner] ?? 0, request.id,
            ]
        }
        return waiting.indices.filter { isMeant(waiting[$0]) }
            .min { rank(waiting[$0]).lexicographicallyPrecedes(rank(waiting[$1])) }
    }

    /// Removes a request from those that wait; who waits for nothing has no stamp, and comes last when it returns.
    private mutating func remove(at index: Int) {
        let request = waiting.remove(at: index)
        guard !waiting.contains(where: { $0.printer == request.printer && $0.owner == request.owner }) else { return }
        queues[request.printer]?.owners[request.owner] = nil
        if queues[request.printer]?.owners.isEmpty == true { queues[request.printer] = nil }
    }
}
