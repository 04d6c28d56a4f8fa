// Formats an event as JSON.

import IPP
package import SpoolerClient

extension EventView {
    /// The event as JSON with IPP names.
    ///
    /// The event number is the first member.
    package var json: JSONText {
        // Attributes of the subscription do not describe the event.
        let plumbing: Set<String> = [
            "notify-charset", "notify-natural-language", "notify-subscription-id", "notify-sequence-number",
            "notify-user-data", "printer-up-time", "job-id", "printq-event-number",
        ]
        let reported = attributes.filter { !plumbing.contains($0.name) }
        guard case .object(let members) = JSONText(reported) else { return .null }
        return JSONText.object([("printq-event-number", .number(number))] + members)
    }
}
