// Makes the changes of an import, and reports which changes were made.

import Glibc
import IPP
import PrintModel
import SpoolConfiguration
import SpoolExport
import SpoolerClient

/// An import that is in progress: the changes in their order, and the results of the changes.
struct ImportRun {
    /// The result of a change of the import.
    private enum Result: String {
        /// The result of a change that was not attempted.
        case open = "not-done"
        case done
        case failed
    }

    private struct Step {
        var kind: String
        var name: String
        var action: ImportPlan.Action
        /// The differences as text for users; empty if there are no differences.
        var detail: String
        var differences: [String] = []
        var result = Result.open
        var run: () async throws(SpoolerClientError) -> Void

        var isChange: Bool { action == .add || action == .change }
        var title: String { "\(kind) \(name.printable)" }
    }

    private var steps: [Step] = []
    private let choice: ConfigurationChoice
    /// The keys of the changed settings that take effect only after a restart of printd.
    private var waiting: [String] = []
    /// The first error of the import; nil if no error occurred.
    ///
    /// The message of a failed change contains the number of successful changes.
    private(set) var failure: SpoolerClientError?

    /// Prepares the changes of a plan.
    ///
    /// - Parameters:
    ///   - path: The path of the configuration file.
    ///   - checks: Whether printd queries a printer before printd adds or changes the printer.
    init(_ plan: ImportPlan, path: String, choice: ConfigurationChoice, checks: Bool) {
        self.choice = choice
        steps += plan.printers.map { step(for: $0, checks: checks) }
        if let (name, action) = plan.defaultPrinter {
            steps.append(
                Step(kind: "default printer", name: name, action: action, detail: "") {
                    () async throws(SpoolerClientError) in
                    try await choice.session.spooler.ask(.cupsSetDefault, printer: name)
                })
        }
        for change in plan.settings {
            let was = change.old.map { " (was \($0.literal))" } ?? ""
            steps.append(
                Step(
                    kind: "setting", name: change.setting.key, action: change.action,
                    detail: "\(change.new.literal)\(was)"
                ) { () async throws(SpoolerClientError) in
                    _ = try choice.change(change.setting, to: change.new, in: path)
                })
        }
        for change in plan.quotas {
            let name = "\(change.quota.subject.label) per \(change.quota.period.rawValue)"
            steps.append(
                Step(kind: "quota", name: name, action: change.action, detail: "") {
                    () async throws(SpoolerClientError) in
                    _ = try await choice.session.spooler.changeQuotas(.set(change.quota))
                })
        }
        let folder = ConfigurationChoice.typesFolder(beside: path)
        for type in plan.documentTypes {
            steps.append(
                Step(kind: "document types", name: type.file.name, action: type.action, detail: "") {
                    () async throws(SpoolerClientError) in
                    try Self.write(type.file, to: folder, replaces: type.action == .change)
                })
        }
    }

    private func step(for printer: ImportPlan.Printer, checks: Bool) -> Step {
        let differences = printer.differences.joined(separator: ", ")
        let session = choice.session
        return Step(
            kind: "printer", name: printer.new.name, action: printer.action, detail: differences,
            differences: printer.differences
        ) { () async throws(SpoolerClientError) in
            let isNew = printer.old == nil
            let attributes = try printer.new.attributes(replacing: printer.old)
            let isChecked = checks && attributes.contains { $0.name == "device-uri" }
            try await session.spooler.change(
                printer: printer.new.name, attributes,
                operation: [
                    Attribute(isNew ? "printq-must-be-new" : "printq-must-exist", .boolean(true)),
                    Attribute("printq-check", .boolean(isChecked)),
                ])
        }
    }

    private static func write(
        _ file: ExportedSpool.TypeFile, to folder: String, replaces: Bool
    ) throws(SpoolerClientError) {
        let isWritable =
            mkdir(folder, 0o755) == 0 || errno == EEXIST && access(folder, W_OK | X_OK) == 0
        guard isWritable else {
            let code = errno
            throw SpoolerClientError(
                code == EACCES || code == EPERM ? .noPermission : .output,
                "cannot write to the folder '\(folder.printable)': \(String(cString: strerror(code)))")
        }
        var status = stat()
        guard replaces || lstat("\(folder)/\(file.name)", &status) != 0 else {
            throw SpoolerClientError(
                .output, "'\(folder.printable)/\(file.name.printable)' exists but cannot be read; remove the file first"
            )
        }
        // printd reads the file as its own user.
        try NewFile.write(
            Array((file.definition.text + "\n").utf8), to: "\(folder)/\(file.name)", replaces: replaces, mode: 0o644)
    }

    // MARK: - Changing

    /// Makes the changes in their order, and stops at the first failure.
    mutating func carryOut() async {
        for index in steps.indices where steps[index].isChange {
            do throws(SpoolerClientError) {
                try await steps[index].run()
                steps[index].result = .done
            } catch {
                steps[index].result = .failed
                let (all, done) = (steps.count(where: \.isChange), steps.count { $0.result == .done })
                failure = SpoolerClientError(
                    error.code,
                    "cannot \(steps[index].action == .add ? "add" : "change") \(steps[index].title): "
                        + "\(error.message); \(done) of \(all) changes were made", cause: error)
                break
            }
        }
        await reload()
    }

    /// Requests that printd reload its configuration with the new settings and document types.
    private mutating func reload() async {
        let isNew = steps.contains { $0.result == .done && ["setting", "document types"].contains($0.kind) }
        guard isNew else { return }
        do throws(SpoolerClientError) {
            guard try choice.session.daemon.answers() else { return }
            waiting = try await choice.session.spooler.reloadConfiguration().waiting
        } catch {
            failure =
                failure
                ?? SpoolerClientError(
                    error.code, "the files were changed, but printd did not reload the files: \(error.message)",
                    cause: error)
        }
    }

    // MARK: - Reporting

    /// Returns the results as text, with one line for each printer, setting and file.
    func text(isDryRun: Bool) -> String {
        let lines = steps.map { line(for: $0, isDryRun: isDryRun) }
        var text = lines.map { $0 + "\n" }.joined()
        if !steps.contains(where: \.isChange) {
            text += isDryRun ? "nothing would change\n" : "nothing has changed\n"
        }
        if !waiting.isEmpty {
            let advice = (try? choice.session.place.restartAdvice).map { "; \($0)" } ?? ""
            text += "after restart: \(waiting.joined(separator: ", "))\(advice)\n"
        }
        return text
    }

    private func line(for step: Step, isDryRun: Bool) -> String {
        let detail = step.detail.isEmpty ? "" : ": \(step.detail)".printable
        let verb = step.action == .add ? "add" : "change"
        switch step.action {
        case .none: return "unchanged \(step.title)"
        case .keep:
            let difference = step.differences.isEmpty ? "" : " in \(step.differences.joined(separator: ", "))"
            return "kept \(step.title), which differs from the file\(difference); --replace overwrites the kept values"
        case .add, .change:
            if isDryRun { return "would \(verb) \(step.title)\(detail)" }
            return switch step.result {
            case .done: "\(verb == "add" ? "added" : "changed") \(step.title)\(detail)"
            case .failed: "failed to \(verb) \(step.title)\(detail)"
            case .open: "did not \(verb) \(step.title)\(detail)"
            }
        }
    }

    /// Returns the changes and their results as JSON.
    func json(isDryRun: Bool) -> JSONText {
        let members = steps.map { step in
            var members: [(name: String, value: JSONText)] = [
                ("kind", .string(step.kind)), ("name", .string(step.name)), ("action", .string(step.action.rawValue)),
            ]
            if !step.differences.isEmpty { members.append(("differences", .strings(step.differences))) }
            if step.isChange { members.append(("result", .string(step.result.rawValue))) }
            return JSONText.object(members)
        }
        return .object([
            ("dry-run", .bool(isDryRun)), ("changes", .array(members)),
            ("error", failure.map { .string($0.message) } ?? .null), ("after-restart", .strings(waiting)),
        ])
    }
}
