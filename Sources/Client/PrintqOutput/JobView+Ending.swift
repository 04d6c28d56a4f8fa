// Describes how a job ended.

package import IPP
import PrintModel
package import SpoolerClient

extension JobView {
    /// The result of the job, such as `job 12 completed: 5 pages on 3 sheets` or `job 12 completed: 2 copies of 5 pages
    /// on 6 sheets`.
    ///
    /// If the job was completed with warnings, a second line begins with `warning:`.
    package var summary: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        let words = state?.description ?? "ended"
        guard impressionsCompleted > 0 else { return "job \(id) \(words)" }
        var amount = count(pageProgress?.completed ?? impressionsCompleted, "page")
        if let progress, progress.copies > 1 {
            // If some copies are missing, report the number of sides, which the user can count on the paper.
            amount =
                state == .completed
                ? "\(progress.copies) copies of \(amount)" : count(impressionsCompleted, "printed side")
        }
        return "job \(id) \(words): \(amount)" + (sheetsCompleted > 0 ? " on \(count(sheetsCompleted, "sheet"))" : "")
            + (warning.map { "\nwarning: \($0)" } ?? "")
    }

    /// The warning of a job that was completed with warnings; nil for any other job.
    private var warning: String? {
        reasons.contains("job-completed-with-warnings") && !message.isEmpty ? message : nil
    }

    /// The reason why the job ended, or the warning of a completed job.
    ///
    /// The text is empty if there is no reason or warning.
    var endReason: String {
        guard hasEnded else { return "" }
        if state == .completed { return warning ?? "" }
        if !message.isEmpty { return message }
        return reasons.map { Self.cancelers[$0] ?? $0 }.joined(separator: ", ")
    }

    /// The person or device that canceled a job, for each state reason (RFC 8011 §5.3.8).
    private static let cancelers = [
        "job-canceled-by-user": "by its owner", "job-canceled-by-operator": "by an administrator",
        "job-canceled-at-device": "at the printer",
    ]

    /// Checks that the job was completed.
    ///
    /// - Throws: `SpoolerClientError` with `badDocument` if the document caused the failure, otherwise with `notDone`.
    package func checkCompleted() throws(SpoolerClientError) {
        guard state != .completed else { return }
        let words = endReason
        let blamesDocument = !Self.documentReasons.isDisjoint(with: reasons)
        throw SpoolerClientError(
            blamesDocument ? .badDocument : .notDone,
            "job \(id) was \(state?.description ?? "not completed")\(words.isEmpty ? "" : ": \(words)"); "
                + "see 'printq show \(id)'")
    }

    /// The state reasons that identify the document as the cause of the failure (RFC 8011 §5.3.8, PWG 5100.13).
    private static let documentReasons: Set<String> = [
        "document-format-error", "document-password-error", "unsupported-document-format",
    ]
}

extension JSONText {
    /// Returns a job's attributes as JSON.
    ///
    /// The member `printq-output-files` lists the files that a simulated printer wrote for the job.
    package static func of(_ job: AttributeGroup, output: PrintOutput?) -> JSONText {
        // A list with one file is an array too.
        let attributes = job.attributes.filter { $0.name != "printq-output-files" }
        guard case .object(let members) = JSONText(attributes), let output else { return JSONText(attributes) }
        return .object(members + [("printq-output-files", .strings(output.files))])
    }
}
