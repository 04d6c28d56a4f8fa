// Reads an event from its IPP attributes.

package import IPP
package import PrintModel

/// An event of a job or a printer.
package struct EventView: Sendable {
    /// The event's number in the log.
    ///
    /// A script can pass this number to `--after` to continue after the event.
    package var number: Int
    /// The event's number in the subscription.
    package var sequenceNumber: Int
    /// The time of the event.
    package var time: UnixTime
    /// The event's keyword, such as `job-completed`.
    package var kind: String
    /// The number of the job; nil for a printer event.
    package var jobID: Int?
    /// The name of the printer.
    package var printer: String
    /// The job's state at the time of the event.
    package var state: JobState?
    /// The description of the event in one line.
    package var text: String
    /// All attributes of the event.
    package let attributes: [Attribute]

    /// Creates the event with these attributes.
    ///
    /// Missing attributes are empty.
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

    /// Returns `12:00:01 job 7 (Letter) on color-laser: printing page 2 of 5`; adds the date if it is not today.
    package func line(now: UnixTime) -> String { "\(LocalTime.precise(time, now: now)) \(text)" }
}
