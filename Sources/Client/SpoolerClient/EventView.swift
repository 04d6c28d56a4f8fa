// Reads an event from its IPP attributes.

package import IPP
public import PrintModel

/// An event of a job or a printer.
public struct EventView: Sendable {
    /// The event's number in the log.
    ///
    /// ``Spooler/events(ofJobs:at:after:onNotice:)`` and `printq watch --after` continue after this number.
    public var number: Int
    /// The sequence number of the event in the subscription.
    public var sequenceNumber: Int
    /// The time of the event, in seconds since 1970.
    public var time: UnixTime
    /// The event's keyword, such as `job-completed`.
    public var kind: String
    /// The number of the job; nil for a printer event.
    public var jobID: Int?
    /// The name of the printer, or of the job's printer.
    public var printer: String
    /// The job's state at the time of the event; nil for a printer event.
    public var state: JobState?
    /// The job's state message after the event.
    ///
    /// The message is empty for a printer event, or if printd does not report the message.
    public var message: String
    /// The job's state reasons after the event, without `none`.
    public var reasons: [String]
    /// The number of sides that are not blank, over all copies; nil if the number is unknown.
    public var impressions: Int?
    /// The number of printed sides that are not blank, over all copies; nil if the event does not report this number.
    public var impressionsCompleted: Int?
    /// The description of the event in one line.
    public var text: String
    /// All IPP attributes of the event.
    package let attributes: [Attribute]

    /// Creates an event from its attributes.
    ///
    /// Missing attributes become empty values.
    package init(_ group: AttributeGroup) {
        number = Int(group.integer("printq-event-number") ?? 0)
        sequenceNumber = Int(group.integer("notify-sequence-number") ?? 0)
        time = UnixTime(group.integer("printer-up-time") ?? 0)
        kind = group.string("notify-subscribed-event") ?? ""
        jobID = group.integer("notify-job-id").map(Int.init)
        printer = group.string("printer-name") ?? ""
        state = group.integer("job-state").flatMap { JobState(rawValue: Int($0)) }
        message = (group.string("job-state-message") ?? "").printable
        reasons = group.keywords("job-state-reasons").filter { $0 != "none" }
        impressions = group.integer("job-impressions").map(Int.init)
        impressionsCompleted = group.integer("job-impressions-completed").map(Int.init)
        text = (group.string("notify-text") ?? "").printable
        attributes = group.attributes
    }

    /// Returns the event as text with its local time: `12:00:01 job 7 (Letter) on color-laser: printing page 2 of 5`.
    ///
    /// If the event did not occur today, the text begins with the date.
    public func line(now: UnixTime) -> String { "\(LocalTime.precise(time, now: now)) \(text)" }
}
