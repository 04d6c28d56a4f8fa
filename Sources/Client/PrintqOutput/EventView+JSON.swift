// Formats an event as JSON.

import IPP
package import SpoolerClient

extension EventView {
    /// The event as one line of JSON with IPP names; the event number comes first.
    package var json: String {
        // Attributes of the subscription do not describe the event.
        let plumbing: Set<String> = [
            "notify-charset", "notify-natural-language", "notify-subscription-id", "notify-sequence-number",
            "notify-user-data", "printer-up-time", "job-id", "printq-event-number",
        ]
        let told = attributes.filter { !plumbing.contains($0.name) }
        guard case .object(let members) = JSONText(told) else { return "" }
        return JSONText.object([("printq-event-number", .number(number))] + members).compactText
    }
}
