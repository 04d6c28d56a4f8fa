// Chooses the next request for the workers.

import PrintModel

/// A scheduler that decides which waiting request of a pool begins next.
///
/// The scheduler alternates between printers, and between the owners of requests for one printer. The requests of one
/// owner begin in the order of arrival.
///
/// The scheduler uses no tasks and no processes.
///
///     var turns = WorkScheduler(places: 2)
///     turns.arrive(1, from: laser, isSmall: false)     // true: the request begins
///     turns.leave(1)                                   // the requests that begin now
///
/// A printer with fewer running requests has priority. Among printers with equally many running requests, the least
/// recently served printer has priority. The scheduler interrupts no requests, so a small request could wait for the
/// end of several large requests. Therefore one small request can begin in addition to the maximum number of concurrent
/// requests.
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

    /// The order numbers of a printer and of the owners of its requests.
    ///
    /// An order number records the last turn of the printer or owner. Before the first turn, the number records the
    /// arrival. The printer or owner with the smallest number has waited longest.
    private struct Queue {
        var stamp: Int
        var owners: [String: Int] = [:]
    }

    private let places: Int
    private var waiting: [Waiting] = []
    private var working: [Int: Working] = [:]
    private var queues: [String: Queue] = [:]
    private var lastStamp = 0

    /// Creates a scheduler with a maximum number of concurrent requests, not counting the additional small request.
    init(places: Int) { self.places = places }

    /// Adds a request.
    ///
    /// - Parameter id: A unique number.
    /// - Returns: `true` if the request begins immediately. Otherwise a later call of `leave` returns the request.
    mutating func arrive(_ id: Int, from origin: WorkOrigin?, isSmall: Bool) -> Bool {
        let (printer, owner) = (origin?.printer ?? "", origin?.owner ?? "")
        waiting.append(Waiting(id: id, printer: printer, owner: owner, isSmall: isSmall))
        lastStamp += 1
        queues[printer, default: Queue(stamp: lastStamp)].owners[owner, default: lastStamp] += 0
        return begin().contains(id)
    }

    /// Ends a running request, and returns the requests that begin now.
    mutating func leave(_ id: Int) -> [Int] {
        guard let ended = working.removeValue(forKey: id) else { return [] }
        noteTurn(of: ended.printer, ended.owner)
        return begin()
    }

    /// Removes a waiting request.
    ///
    /// - Returns: Whether the request was waiting.
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

    /// Moves a printer and an owner to the end of the order.
    ///
    /// The start and the end of a request both count as a turn.
    private mutating func noteTurn(of printer: String, _ owner: String) {
        lastStamp += 1
        queues[printer]?.stamp = lastStamp
        if queues[printer]?.owners[owner] != nil { queues[printer]?.owners[owner] = lastStamp }
    }

    /// Returns the next request, and whether the request begins as the additional small request.
    ///
    /// Returns nil if no request can begin.
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

    /// Removes a waiting request.
    ///
    /// A printer or owner without waiting requests loses its order number. After a new request, the printer or owner is
    /// last in the order.
    private mutating func remove(at index: Int) {
        let request = waiting.remove(at: index)
        guard !waiting.contains(where: { $0.printer == request.printer && $0.owner == request.owner }) else { return }
        queues[request.printer]?.owners[request.owner] = nil
        if queues[request.printer]?.owners.isEmpty == true { queues[request.printer] = nil }
    }
}
