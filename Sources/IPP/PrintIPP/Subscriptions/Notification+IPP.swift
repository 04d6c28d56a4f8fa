// Notifications as IPP attributes.

import IPP
import PrintModel

extension Notification {
    /// Returns the attributes of the event (RFC 3996 §5.2, tables 3 to 6), including the attributes that CUPS adds.
    func group(of subscription: EventSubscription) -> AttributeGroup {
        let wish = subscription.wish
        var attributes = [
            Attribute("notify-charset", .charset("utf-8")),
            Attribute("notify-natural-language", .naturalLanguage("en")),
            Attribute("notify-subscription-id", .integer(Int32(clamping: subscription.id))),
            Attribute("notify-sequence-number", .integer(Int32(clamping: number))),
            Attribute("notify-subscribed-event", .keyword(keyword)),
            Attribute("notify-user-data", .octetString(wish.userData)),
            Attribute("printer-up-time", .seconds(event.time)),
            Attribute("printer-current-time", .moment(event.time)),
            Attribute("notify-text", .text(event.line.prefixOfUTF8(1023))),
            Attribute("notify-printer-uri", .uri(wish.target.printerURI(event.printer))),
            Attribute("printer-name", .name(event.printer)),
        ]
        attributes += event.jobID.map(jobAttributes) ?? printerAttributes
        if wish.attributes.contains("job-impressions"), let impressions = event.impressions {
            attributes.append(Attribute("job-impressions", .integer(Int32(clamping: impressions))))
        }
        if wish.attributes.contains("job-state-message"), event.jobID != nil, !event.message.isEmpty {
            attributes.append(Attribute("job-state-message", .text(event.message.prefixOfUTF8(1023))))
        }
        if wish.attributes.contains("printq-event-number") {
            attributes.append(Attribute("printq-event-number", .integer(Int32(clamping: event.sequence))))
        }
        return AttributeGroup(.eventNotification, attributes)
    }

    private func jobAttributes(_ jobID: Int) -> [Attribute] {
        let id = Value.integer(Int32(clamping: jobID))
        var attributes = [
            Attribute("notify-job-id", id), Attribute("job-id", id), Attribute("job-name", .name(event.jobName ?? "")),
            Attribute("job-state", .enumeration(Int32((event.state ?? .pending).rawValue))),
            reasons("job-state-reasons"),
        ]
        if ["job-progress", "job-completed"].contains(event.kind), let count = event.impressionsCompleted {
            attributes.append(Attribute("job-impressions-completed", .integer(Int32(clamping: count))))
        }
        return attributes
    }

    private var printerAttributes: [Attribute] {
        [
            Attribute("printer-state", .enumeration(Int32((event.printerState ?? .idle).rawValue))),
            reasons("printer-state-reasons"), Attribute("printer-is-accepting-jobs", .boolean(event.isAccepting)),
        ]
    }

    private func reasons(_ name: String) -> Attribute {
        Attribute(name, event.reasons.isEmpty ? [.keyword("none")] : event.reasons.map { .keyword($0) })
    }
}
