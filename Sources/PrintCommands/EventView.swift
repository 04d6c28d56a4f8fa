// An event as printq shows it.

package import IPP
package import PrintModel
import PrintQueue

/// What printd says of one event.
package struct EventView: Sendable {
    /// The event's number in the log, by which a script goes on after it.
    package var number: Int
    /// Its number in the subscription.
    package var sequenceNumber: Int
    /// When it happened.
    package var time: UnixTime
    /// What happened, as a keyword.
    package var kind: String
    /// The job it happened to; nil for a printer's event.
    package var jobID: Int?
    /// The job's state then.
    package var state: JobState?
    /// What happened, in one line.
    package var text: String
    private let attributes: [Attribute]

    /// The event with these attributes; what is missing is empty.
    package init(_ group: AttributeGroup) {
        number = Int(group.integer("printq-event-number") ?? 0)
        sequenceNumber = Int(group.integer("notify-sequence-number") ?? 0)
        time = UnixTime(group.integer("printer-up-time") ?? 0)
        kind = group.string("notify-subscribed-event") ?? ""
        jobID = group.integer("notify-job-id").map(Int.init)
        state = group.integer("job-state").flatMap { JobState(rawValue: Int($0)) }
        text = (group.string("notify-text") ?? "").printable
        attributes = group.attributes
    }

    /// `12:00:01 job 7 (Letter) on color-laser: printing page 2 of 5`; with the date when that is not today's.
    package func line(now: UnixTime) -> String { "\(LocalTime.precise(time, now: now)) \(text)" }

    /// The event as one line of JSON, under IPP's names, its number first.
    package var json: String {
        // What belongs to the subscription says nothing of the event.
        let plumbing: Set<String> = [
            "notify-charset", "notify-natural-language", "notify-subscription-id", "notify-sequence-number",
            "notify-user-data", "printer-up-time", "job-id", "printq-event-number",
        ]
        let told = attributes.filter { !plumbing.contains($0.name) }
        guard case .object(let members) = JSONText(told) else { return "" }
        return JSONText.object([("printq-event-number", .number(number))] + members).compactText
    }
}
