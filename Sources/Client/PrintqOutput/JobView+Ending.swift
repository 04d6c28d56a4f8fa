// What became of a job.

package import IPP
import PrintModel
package import SpoolerClient

extension JobView {
    /// `job 12 completed: 5 pages on 3 sheets`, `job 12 completed: 2 copies of 5 pages on 6 sheets`; a second line begins
    /// with `warning:` when the job was completed with warnings.
    package var summary: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        let words = state?.description ?? "ended"
        guard impressionsCompleted > 0 else { return "job \(id) \(words)" }
        var amount = count(pageProgress?.completed ?? impressionsCompleted, "page")
        if let progress, progress.copies > 1 {
            // Of copies that are not all there, the sides can be counted on the paper.
            amount =
                state == .completed
                ? "\(progress.copies) copies of \(amount)" : count(impressionsCompleted, "printed side")
        }
        return "job \(id) \(words): \(amount)" + (sheetsCompleted > 0 ? " on \(count(sheetsCompleted, "sheet"))" : "")
            + (warning.map { "\nwarning: \($0)" } ?? "")
    }

    /// What was wrong with a job that was completed all the same; nil when nothing was.
    private var warning: String? {
        reasons.contains("job-completed-with-warnings") && !message.isEmpty ? message : nil
    }

    /// Why the job ended as it did, or what was wrong with it when it was completed; nothing when there is nothing to say.
    var endReason: String {
        guard hasEnded else { return "" }
        if state == .completed { return warning ?? "" }
        if !message.isEmpty { return message }
        return reasons.map { Self.cancelers[$0] ?? $0 }.joined(separator: ", ")
    }

    /// Who canceled a job, by reason (RFC 8011 §5.3.8).
    private static let cancelers = [
        "job-canceled-by-user": "by its owner", "job-canceled-by-operator": "by an administrator",
        "job-canceled-at-device": "at the printer",
    ]

    /// Throws `SpoolerClientError` unless the job was completed: `badDocument` when its document is why, else `notDone`.
    package func checkCompleted() throws(SpoolerClientError) {
        guard state != .completed else { return }
        let words = endReason
        let blamesDocument = !Self.documentReasons.isDisjoint(with: reasons)
        throw SpoolerClientError(
            blamesDocument ? .badDocument : .notDone,
            "job \(id) was \(state?.description ?? "not completed")\(words.isEmpty ? "" : ": \(words)"); "
                + "see 'printq show \(id)'")
    }

    /// The reasons that lie in the document (RFC 8011 §5.3.8, PWG 5100.13).
    private static let documentReasons: Set<String> = [
        "document-format-error", "document-password-error", "unsupported-document-format",
    ]
}

extension JSONText {
    /// A job's attributes, with the files a simulated printer made of it as `printq-output-files`.
    package static func of(_ job: AttributeGroup, output: PrintOutput?) -> JSONText {
        guard case .object(let members) = JSONText(job.attributes), let output else {
            return JSONText(job.attributes)
        }
        return .object(members + [("printq-output-files", .strings(output.files))])
    }
}
