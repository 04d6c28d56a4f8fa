// An event as printq shows it.

package import IPP
package import PrintModel

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
    /// The name of the printer that it happened at.
    package var printer: String
    /// The job's state then.
    package var state: JobState?
    /// What happened, in one line.
    package var text: String
    /// All that was said of it.
    package let attributes: [Attribute]

    /// The event with these attributes; what is missing is empty.
    package init(_ group: AttributeGroup) {
        number = Int(group.integer("printq-event-number") ?? 0)
        sequenceNumber = Int(group.integer("notify-sequence-number") ?? 0)
        time = UnixTime(group.integer("printer-up-time") ?? 0)
        kind = group.string("notify-subscribed-event") ?? ""
        jobID = group.integer("notify-job-id").map(Int.init)
        printer = group.string("printer-name") ?? ""
        state = group.integer("job-state").flatMap { JobState(rawValue: Int($0)) }
        text = (group.string("notify-text") ?? "").printable
        attributes = group.attributes
    }

    /// `12:00:01 job 7 (Letter) on color-laser: printing page 2 of 5`; with the date when that is not today's.
    package func line(now: UnixTime) -> String { "\(LocalTime.precise(time, now: now)) \(text)" }
}
