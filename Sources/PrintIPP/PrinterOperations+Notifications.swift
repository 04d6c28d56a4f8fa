// Get-Notifications (RFC 3996): what has happened, now or as soon as it does.

import IPP
import PrintModel

extension PrinterOperations {
    /// How long an event is told at least, in seconds; in truth for as long as the log keeps it.
    static let eventLife = 15

    /// The most notifications of one answer; the rest come with the next.
    static let mostNotifications = 200

    func getNotifications(_ exchange: Exchange, at desk: SubscriptionDesk) async throws(IPPFailure) -> Message {
        let wanted = try subscriptionsWanted(exchange, at: desk)
        var answer = try await collect(wanted, at: desk)
        let mayWait = exchange.attributes.boolean("notify-wait") == true
        if mayWait, answer.groups.isEmpty, !answer.isComplete {
            await desk.wait(for: wanted, atMost: notifyWait, hangUp: exchange.request.hangUp)
            answer = try await collect(wanted, at: desk)
        }
        let status: Status = answer.isComplete ? .successfulOkEventsComplete : .successfulOk
        var reply = exchange.request.message.reply(status, groups: answer.groups)
        reply.groups[0].append("printer-up-time", .seconds(clock()))
        if !answer.isComplete {
            // Who waits may come again at once, and so may who did not get all.
            let interval = mayWait || answer.hasMore ? 1 : Self.eventLife
            reply.groups[0].append("notify-get-interval", .integer(Int32(interval)))
        }
        if answer.missingThrough > 0 { reply.groups[0].append(.missing(through: answer.missingThrough)) }
        return reply
    }

    /// The subscriptions that are asked for, each with the lowest number wanted of it.
    private func subscriptionsWanted(
        _ exchange: Exchange, at desk: SubscriptionDesk
    ) throws(IPPFailure) -> [(id: Int, from: Int)] {
        guard let ids = exchange.attributes["notify-subscription-ids"]?.values.compactMap(\.intValue), !ids.isEmpty
        else { throw .badRequest("Get-Notifications must say notify-subscription-ids") }
        let numbers = exchange.attributes["notify-sequence-numbers"]?.values.compactMap(\.intValue) ?? []
        var wanted: [(id: Int, from: Int)] = []
        for (index, id) in ids.unique.enumerated() {
            _ = try ownSubscription(Int(id), exchange, at: desk)
            wanted.append((Int(id), max(1, index < numbers.count ? Int(numbers[index]) : 1)))
        }
        return wanted
    }

    private struct Collected {
        var groups: [AttributeGroup] = []
        var hasMore = false
        var isComplete = true
        var missingThrough = 0
    }

    private func collect(
        _ wanted: [(id: Int, from: Int)], at desk: SubscriptionDesk
    ) async throws(IPPFailure) -> Collected {
        var collected = Collected()
        for (id, number) in wanted {
            let room = Self.mostNotifications - collected.groups.count
            // One that was canceled while its client waited has nothing more to tell.
            guard let subscription = desk.subscription(id),
                let harvest = try await desk.harvest(id, from: number, limit: room)
            else { continue }
            collected.groups += harvest.notifications.map { $0.group(of: subscription) }
            collected.hasMore = collected.hasMore || harvest.hasMore
            collected.isComplete = collected.isComplete && harvest.isComplete
            if subscription.wish.attributes.contains("printq-event-number") {
                collected.missingThrough = max(collected.missingThrough, harvest.missingThrough)
            }
        }
        return collected
    }
}
