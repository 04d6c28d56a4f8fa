// The command `printq config show`.

import ArgumentParser
import PrintqOutput
import SpoolConfiguration
import SpoolExport
import SpoolerClient

struct ShowSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the settings and the origin of each value.",
        discussion: """
            Shows the values that the running printd uses, and values of the file that are not in effect yet. If \
            printd is not running, shows the values that printd will use. Does not start printd.
            """)

    @Argument(help: ArgumentHelp("The key of one setting.", valueName: "key"))
    var key: String?
    @OptionGroup var output: OutputChoice
    @OptionGroup var choice: ConfigurationChoice

    /// A setting of printd with its value.
    private struct Row {
        var setting: Setting
        var value: SettingValue
        /// The origin of the value: `default`, `file`, `command-line` or `printq`.
        var origin: String
        var line: Int?
        /// The value in the configuration file, if this value is not yet in effect; otherwise nil.
        var pending: SettingValue?
    }

    func run() async throws {
        let chosen = try key.map { key throws(SpoolerClientError) in
            guard let setting = Setting.named(key) else {
                throw SpoolerClientError(.usage, Setting.unknown(key.printable))
            }
            return setting
        }
        let running = try await choice.running()
        let path = try choice.configuration == nil ? running?.file ?? choice.path : choice.path
        let content = ConfigurationFile(path: path, checksFiles: false)
        for problem in content.problems { StandardOutput.complain(problem.description.printable) }
        let rows = (chosen.map { [$0] } ?? Setting.all).map { row($0, running, content) }
        if output.json {
            StandardOutput.print(
                JSONText.object([("file", .string(path)), ("settings", .array(rows.map { json($0, path) }))]))
        } else if chosen != nil, let row = rows.first {
            show(row, path)
        } else {
            var table = TextTable([.left("SETTING"), .flexible("VALUE"), .flexible("ORIGIN"), .left("PENDING")])
            for row in rows {
                table.add([row.setting.key, row.value.literal, origin(of: row, path), pendingText(row) ?? ""])
            }
            StandardOutput.print(table, whenEmpty: "")
        }
        if running == nil, !content.problems.isEmpty {
            throw SpoolerClientError(.configuration, "printd cannot start with this configuration")
        }
    }

    private func row(_ setting: Setting, _ running: RunningSettings?, _ content: ConfigurationFile) -> Row {
        let inFile = content.values[setting]
        let later = Row(
            setting: setting, value: inFile?.value ?? setting.standard, origin: inFile == nil ? "default" : "file",
            line: inFile?.line)
        guard let now = running?.values[setting] else { return later }
        var row = Row(setting: setting, value: now.value, origin: now.origin, line: now.line)
        let isOverridden = now.origin == "command-line" || now.origin == "printq" && inFile == nil
        if content.problems.isEmpty, !isOverridden, later.value != now.value { row.pending = later.value }
        return row
    }

    private func origin(of row: Row, _ path: String) -> String {
        switch row.origin {
        case "file": path + (row.line.map { ":\($0)" } ?? "")
        case "command-line": "command line of printd"
        case "printq": "started by printq"
        default: row.origin
        }
    }

    private func pendingText(_ row: Row) -> String? {
        row.pending.map { "\($0.literal) after \(row.setting.needsRestart ? "restart" : "reload")" }
    }

    private func show(_ row: Row, _ path: String) {
        let setting = row.setting
        var lines = [("value", row.value.literal), ("origin", origin(of: row, path))]
        if let pending = pendingText(row) { lines.append(("pending", pending)) }
        lines.append(("values", setting.range + (setting.unit.isEmpty ? "" : " \(setting.unit)")))
        lines.append(("default", setting.defaultText))
        lines.append(("changes", setting.needsRestart ? "when printd starts" : "when printd reloads its configuration"))
        if let option = setting.option { lines.append(("option", "printd \(option)")) }
        let text = lines.map { name, value in
            "  \(name)\(String(repeating: " ", count: 9 - name.count))\(value.printable)\n"
        }
        StandardOutput.print("\(setting.key)\n\(text.joined())\n\(setting.meaning)\n")
    }

    private func json(_ row: Row, _ path: String) -> JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("key", .string(row.setting.key)), ("value", row.value.json), ("origin", .string(row.origin)),
        ]
        if row.origin == "file" {
            members.append(("file", .string(path)))
            if let line = row.line { members.append(("line", .number(line))) }
        }
        if let pending = row.pending {
            members.append((row.setting.needsRestart ? "after-restart" : "after-reload", pending.json))
        }
        members.append(("default", row.setting.standard.json))
        if !row.setting.unit.isEmpty { members.append(("unit", .string(row.setting.unit))) }
        return .object(members)
    }
}
