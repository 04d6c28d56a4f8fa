// An event for a program that reads printq's output.

import IPP
package import SpoolerClient

extension EventView {
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
