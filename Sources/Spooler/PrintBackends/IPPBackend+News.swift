// Receives event notifications instead of polling (RFC 3995, RFC 3996).

import IPP
public import PrintModel
import AsyncPrimitives
import Synchronization

/// The notification state of one printer.
///
/// All copies of the printer's backend share this state.
final class PrinterNotifications: Sendable {
    private let watch = Mutex(NotificationPolling())

    func step(for job: RemoteJob, pause: Duration) -> NotificationPolling.Step {
        watch.withLock { $0.step(for: job, pause: pause) }
    }

    func received(_ answer: NotificationPolling.Answer) { watch.withLock { $0.received(answer) } }

    func looked(at status: RemoteJobStatus?, of job: RemoteJob) { watch.withLock { $0.looked(at: status, of: job) } }
}

extension IPPBackend {
    /// Waits for an event notification of the job, or for the duration `pause` if the printer does not support
    /// notifications.
    ///
    /// - Returns: Whether the printer sent a notification.
    public func waitForNews(
        of job: RemoteJob, orAfter pause: Duration, by clock: any Clock<Duration>
    ) async throws -> Bool {
        // One wait may need three requests: subscribe, renew, and get notifications.
        for _ in 0..<3 {
            let answer: NotificationPolling.Answer
            switch news.step(for: job, pause: pause) {
            case .rest:
                try await clock.sleep(for: pause)
                return false
            case .subscribe: answer = await subscribe(to: job)
            case .renew(let id, let lease): answer = await renew(id, of: job, lease: lease)
            case .listen(let id, let number, let limit):
                answer =
                    await outcome(within: limit, by: clock) {
                        await notifications(of: id, about: job, from: number)
                    } ?? .silence
            }
            try Task.checkCancellation()
            news.received(answer)
            switch answer {
            case .news: return true
            case .silence: return false
            default: break
            }
        }
        try await clock.sleep(for: pause)
        return false
    }

    // MARK: - Steps

    /// The events to which the backend subscribes.
    private static let events = [
        "job-state-changed", "job-progress", "job-completed", "printer-state-changed",
    ]

    private func subscribe(to job: RemoteJob) async -> NotificationPolling.Answer {
        var message = request(.createJobSubscriptions, user: job.owner ?? "printq")
        message[.operation]?.append("notify-job-id", .integer(Int32(clamping: job.id)))
        message.groups.append(
            AttributeGroup(
                .subscription,
                [
                    Attribute("notify-pull-method", .keyword("ippget")),
                    Attribute("notify-events", Self.events.map { .keyword($0) }),
                ]))
        return await answer(to: message) { answer in
            guard let group = answer[.subscription], let id = group.integer("notify-subscription-id"), id > 0 else {
                return .refused
            }
            return .subscribed(id, lease: group.integer("notify-lease-duration"))
        }
    }

    private func renew(_ subscription: Int32, of job: RemoteJob, lease: Int32) async -> NotificationPolling.Answer {
        var message = request(.renewSubscription, user: job.owner ?? "printq")
        message[.operation]?.append("notify-subscription-id", .integer(subscription))
        message.groups.append(AttributeGroup(.subscription, [Attribute("notify-lease-duration", .integer(lease))]))
        return await answer(to: message, orElse: .forgotten) { _ in .renewed }
    }

    private func notifications(
        of subscription: Int32, about job: RemoteJob, from number: Int32
    ) async -> NotificationPolling.Answer {
        var message = request(.getNotifications, user: job.owner ?? "printq")
        message[.operation]?.append("notify-subscription-ids", .integer(subscription))
        message[.operation]?.append("notify-sequence-numbers", .integer(number))
        message[.operation]?.append("notify-wait", .boolean(true))
        return await answer(to: message, orElse: .forgotten) { answer in
            // Ignore repeated notifications and notifications of other subscriptions.
            let numbers = answer.groups(.eventNotification)
                .filter { $0.integer("notify-subscription-id") ?? subscription == subscription }
                .compactMap { $0.integer("notify-sequence-number") }
            if let newest = numbers.max(), newest >= number { return .news(upTo: newest) }
            return .nothing(interval: answer[.operation]?.integer("notify-get-interval") ?? 30)
        }
    }

    /// Sends a request and interprets the response.
    ///
    /// Returns `missing` if the printer does not find the job or the subscription.
    private func answer(
        to message: Message, orElse missing: NotificationPolling.Answer = .refused,
        _ reading: (Message) -> NotificationPolling.Answer
    ) async -> NotificationPolling.Answer {
        do throws(BackendError) {
            let answer = try await exchange(message, document: nil)
            switch answer.status {
            case let status where status.isSuccess: return reading(answer)
            case .clientErrorNotFound, .clientErrorGone: return missing
            case .serverErrorBusy, .serverErrorServiceUnavailable, .serverErrorTemporaryError: return .failed
            default: return .refused
            }
        } catch {
            return .failed
        }
    }
}
