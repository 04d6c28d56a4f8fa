// What became of a job.

package import IPP
import PrintModel

extension JobView {
    /// `job 12 completed: 5 pages on 3 sheets`.
    package var summary: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        let words = state?.description ?? "ended"
        guard impressionsCompleted > 0 else { return "job \(id) \(words)" }
        return "job \(id) \(words): \(count(impressionsCompleted, "page"))"
            + (sheetsCompleted > 0 ? " on \(count(sheetsCompleted, "sheet"))" : "")
    }

    /// Throws `CommandError` with `notDone` unless the job was completed.
    package func checkCompleted() throws(CommandError) {
        guard state != .completed else { return }
        let words = message.isEmpty ? reasons.joined(separator: ", ") : message
        throw CommandError(
            .notDone,
            "job \(id) was \(state?.description ?? "not completed")\(words.isEmpty ? "" : ": \(words)"); "
                + "see 'printq show \(id)'")
    }
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
