// The command `printq export`, which saves printers and settings as JSON.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import PrintModel
import PrintqOutput
import SpoolConfiguration
import SpoolExport
import SpoolerClient

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Save the printers and settings in a file that people can read and edit.",
        discussion: """
            The file contains the printers with their options and users, the settings of the configuration file that \
            differ from their defaults, the registered document types, and the quotas, as JSON. Only its owner can read \
            the file. It contains no jobs, no passwords and no keys; 'printq backup' saves everything. 'printq import' \
            adds the printers and settings to another spool.

              printq export printers.json
              printq export - | ssh other-machine sudo printq import -
            """)

    @Argument(help: "The new file; '-' for standard output.")
    var file: String
    @Flag(help: "Replaces an existing file.")
    var force = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var choice: ConfigurationChoice

    func validate() throws {
        if output.json, file == "-" {
            throw ValidationError("--json cannot be combined with '-'; the export is already JSON")
        }
    }

    func run() async throws {
        if file != "-", !force { try NewFile.check(file) }
        let spool = try await choice.exportedSpool { StandardOutput.complain($0) }
        guard file != "-" else { return StandardOutput.print(spool.text) }
        try NewFile.write(Array(spool.text.utf8), to: file, replaces: force)
        if output.json {
            return StandardOutput.print(
                .object([
                    ("file", .string(file)), ("printers", .number(spool.printers.count)),
                    ("settings", .number(spool.changedSettings.count)),
                    ("document-types", .number(spool.documentTypes.count)),
                    ("quotas", .number(spool.quotas.count)),
                ]))
        }
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        StandardOutput.print(
            "saved \(count(spool.printers.count, "printer")), \(count(spool.changedSettings.count, "setting")) and "
                + "\(count(spool.documentTypes.count, "document type file")) in '\(file.printable)'\n")
    }
}

extension ConfigurationChoice {
    /// Returns the path of the configuration file that printd uses.
    func usedPath() async throws(SpoolerClientError) -> String {
        let running = try await running()
        if configuration == nil, let used = running?.file { return used }
        return try path
    }

    /// Returns the printers, settings and registered document types of the spool.
    ///
    /// - Parameter note: A function that is called with a sentence about each part of the spool that the user cannot
    ///   read.
    func exportedSpool(note: (String) -> Void) async throws(SpoolerClientError) -> ExportedSpool {
        let answer = try await session.spooler.ask(.cupsGetPrinters, requested: ConfiguredPrinter.exportedNames)
        var printers: [ConfiguredPrinter] = []
        for group in answer.groups(.printer) { printers.append(try ConfiguredPrinter(exporting: group)) }
        let path = try await usedPath()
        return ExportedSpool(
            printers: printers, settings: try await settings(in: path, note),
            documentTypes: try types(beside: path, note), quotas: try await quotas(note))
    }

    private func quotas(_ note: (String) -> Void) async throws(SpoolerClientError) -> [Quota] {
        do throws(SpoolerClientError) { return try await session.spooler.quotas() } catch {
            guard error.code == .noPermission else { throw error }
            note("quotas are not exported: \(error.message)")
            return []
        }
    }

    /// Returns the settings in the configuration file.
    ///
    /// If the file is invalid or the user cannot read the file, the function returns the settings that the running
    /// printd has read from the file. If printd is not running, the function returns the valid settings in the file.
    private func settings(
        in path: String, _ note: (String) -> Void
    ) async throws(SpoolerClientError) -> [Setting: SettingValue] {
        let file = ConfigurationFile(path: path, checksFiles: false)
        if file.problems.isEmpty { return file.values.mapValues(\.value) }
        for problem in file.problems { note(problem.description.printable) }
        guard let running = try await running() else { return file.values.mapValues(\.value) }
        note("the export contains the settings of the running printd, not the settings in the file")
        return running.values.filter { $0.value.origin == "file" }.mapValues(\.value)
    }

    /// Returns the files with registered document types, from the spool and from the folder beside the configuration
    /// file.
    private func types(
        beside path: String, _ note: (String) -> Void
    ) throws(SpoolerClientError) -> [ExportedSpool.TypeFile] {
        var files: [String: JSONText] = [:]
        var folders = ["\(try session.place.path)/types"]
        let own = Self.typesFolder(beside: path)
        if !folders.contains(own) { folders.append(own) }
        for folder in folders {
            guard access(folder, R_OK | X_OK) == 0 else {
                if errno != ENOENT {
                    let reason = String(cString: strerror(errno))
                    note("document types are not exported: cannot read '\(folder.printable)': \(reason)")
                }
                continue
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted() where name.hasSuffix(".json5") && !name.hasPrefix(".") {
                let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
                guard let data, let document = try? JSON5Document(bytes: Array(data)) else {
                    note(
                        "'\(folder.printable)/\(name.printable)' is not exported: the file cannot be read or is not "
                            + "valid JSON5")
                    continue
                }
                files[name] = JSONText(document.root)
            }
        }
        return files.map { ExportedSpool.TypeFile(name: $0.key, definition: $0.value) }
    }

    /// Returns the path of the folder with registered document types beside a configuration file.
    static func typesFolder(beside path: String) -> String {
        "\(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])/types"
    }
}
