// The route of events.

import HTTPTypes
import IPPServer
import PrintIPP
import PrintModel
import SpoolerClient
import Synchronization

extension Route {
    static let eventRoutes: [Route] = [
        Route(.get, "/api/v1/events", .everyoneInPart, "Streams the events of jobs and printers as they occur.") {
            call in
            let after = try call.eventNumber
            let latest = try await call.latestEvent()
            return WebAnswer(
                .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: .stream(length: nil) { send in
                    guard call.center.streams.open(call.user.account) else { return }
                    defer { call.center.streams.close(call.user.account) }
                    try await call.sendEvents(after: after, latest: latest, send)
                })
        }
    ]
}

extension Call {
    /// The interval between the comments that keep the connection of an event stream open.
    private static let heartbeat = Duration.seconds(15)

    /// The number of the last event that the client received; nil for a new client.
    fileprivate var eventNumber: Int? {
        get throws {
            guard center.streams.hasRoom(user.account) else {
                throw Problem(
                    .tooManyRequests,
                    "\(user.name) already has \(EventStreams.mostPerUser) open event streams, the maximum per user; "
                        + "close some of these streams")
            }
            guard let text = request.headers[.lastEventID] ?? query["after"] else { return nil }
            guard let number = Int32(text), number >= 0 else {
                throw Problem.wrong("after", "'after' must be the number of an event")
            }
            return Int(number)
        }
    }

    /// Sends events to a client until the client disconnects, the session ends or the server stops.
    ///
    /// - Parameters:
    ///   - after: The number of the last event that the client received; nil for a new client.
    ///   - latest: The number of the newest event.
    fileprivate func sendEvents(after: Int?, latest: Int, _ send: WebAnswer.Send) async throws {
        let finish = center.ports.noteWaiting()
        defer { finish() }
        // The number is higher if the spool was replaced.
        let isKnown = after.map { $0 <= latest } ?? true
        let start = isKnown ? after ?? latest : latest
        try await send(EventText.hello(start))
        if !isKnown { try await send(EventText.reset(latest)) }
        let queue = PieceQueue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await watch(after: start, into: queue)
                queue.finish()
            }
            group.addTask {
                while (try? await Task.sleep(for: Self.heartbeat)) != nil {
                    guard await isAuthorized else { break }
                    queue.offer(EventText.heartbeat)
                }
                queue.finish()
            }
            group.addTask {
                await request.disconnection.wait()
                queue.finish()
            }
            if let session {
                group.addTask {
                    await center.sessions.end(of: session.id).wait()
                    queue.finish()
                }
            }
            defer {
                queue.finish()
                group.cancelAll()
            }
            while let piece = await queue.next() { try await send(piece) }
        }
    }

    private func watch(after start: Int, into queue: PieceQueue) async {
        let isIncomplete = Mutex(false)
        var lastReset = -1
        let watch = EventWatch(spooler, WatchRequest(after: start)) { notice in
            if case .missing = notice { isIncomplete.withLock { $0 = true } }
        }
        do throws(SpoolerClientError) {
            try await watch.run { (events: [EventView]) async throws(SpoolerClientError) in
                var text: [UInt8] = []
                let hasLostEvents = isIncomplete.withLock { isIncomplete in
                    defer { isIncomplete = false }
                    return isIncomplete
                }
                if hasLostEvents, lastReset < start || !events.isEmpty {
                    lastReset = try await latestEvent()
                    text += EventText.reset(lastReset)
                }
                text += events.flatMap(EventText.event)
                guard !text.isEmpty else { return .wait }
                // A user on the network who was removed since the last heartbeat receives no more events.
                if user.networkUser != nil, !(await isAuthorized) { return .stop }
                return await queue.put(text) ? .wait : .stop
            }
        } catch {
            center.logger.info("an event stream ended because of an error", metadata: ["error": "\(error)"])
        }
    }

    /// Whether the session is still valid and the account of the user still exists.
    private var isAuthorized: Bool {
        get async {
            guard let session else { return true }
            guard center.sessions.isActive(session.id) else { return false }
            do {
                switch session.owner {
                case .local(let user):
                    return try await center.accounts.user(user.uid, claimedName: nil).name == user.name
                case .network(let user): return try await center.ports.logins?.isCurrent(user) ?? false
                }
            } catch {
                return true  // The account is looked up again at the next heartbeat.
            }
        }
    }
}
