// Reads and checks the document of `printq export`.

import FoundationEssentials
import PrintModel
import SpoolConfiguration
import SpoolerClient

/// The problems of an export document that cannot be imported.
package struct ImportProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems with their lines and keys, in the order of the document: `line 7: printers[0].device-uri: …`.
    package var problems: [String]

    /// The problems, one per line.
    package var description: String { problems.joined(separator: "\n") }
}

extension ExportedSpool {
    /// Reads an export document, and checks the whole document.
    ///
    /// - Parameter configuration: The path of the configuration file. Relative paths in settings refer to the folder of
    ///   this file.
    /// - Throws: `ImportProblems` with all problems.
    package init(reading bytes: [UInt8], configuration: String = "/printd.json5") throws(ImportProblems) {
        let document: JSON5Document
        do throws(JSON5Error) { document = try JSON5Document(bytes: bytes) } catch {
            throw ImportProblems(problems: ["line \(error.line): \(error.description)"])
        }
        var reader = ExportReader(document: document, configuration: configuration)
        guard let spool = reader.read(), reader.problems.isEmpty else {
            throw ImportProblems(problems: reader.problems.sorted { $0.line < $1.line }.map(\.message))
        }
        self = spool
    }
}

/// A reader of one export document.
///
/// The reader collects all problems of the document.
private struct ExportReader {
    typealias Node = JSON5Node

    let document: JSON5Document
    let configuration: String
    var problems: [(line: Int, message: String)] = []

    init(document: JSON5Document, configuration: String) {
        (self.document, self.configuration) = (document, configuration)
    }

    private static let keys = [
        "format", "format-version", "program-version", "default-printer", "printers", "settings", "document-types",
        "quotas",
    ]
    private static let printerKeys =
        [
            "name", "device-uri", "info", "location", "geo-location", "organization", "organizational-unit",
            "shared", "dns-sd-name", "anonymous", "error-policy", "after-interruption", "default-options",
            "accepting-jobs", "paused", "pause-message",
        ] + PolicyList.allExportKeys

    mutating func read() -> ExportedSpool? {
        let root = document.root
        guard root.isObject, text(root, "format", required: false) == ExportedSpool.format else {
            note("the file is not an export of printq: \"format\" must be \"\(ExportedSpool.format)\"", root)
            return nil
        }
        guard let version = member(root, "format-version"), case .number(let number) = version.content,
            let number = Int(exactly: number), number > 0
        else {
            note("format-version must be a positive whole number", member(root, "format-version") ?? root)
            return nil
        }
        let program = text(root, "program-version", required: false)
        guard number <= ExportedSpool.formatVersion else {
            note(
                "the export file has format version \(number), written by printq \(program ?? "of a newer version"); "
                    + "this printq \(Release.version) reads format versions up to \(ExportedSpool.formatVersion); upgrade "
                    + "printq, or create the export with printq \(Release.version)", version)
            return nil
        }
        checkKeys(of: root, Self.keys, at: "")
        var printers = readPrinters(root)
        readDefault(root, &printers)
        return ExportedSpool(
            programVersion: program ?? "", printers: printers, settings: readSettings(root),
            documentTypes: readTypes(root), quotas: readQuotas(root))
    }

    // MARK: - Quotas

    private mutating func readQuotas(_ root: Node) -> [Quota] {
        guard let list = member(root, "quotas") else { return [] }
        guard case .array(let elements) = list.content else {
            note("quotas must be an array", list)
            return []
        }
        return elements.enumerated().compactMap { readQuota($1, at: "quotas[\($0)]") }
    }

    private mutating func readQuota(_ node: Node, at path: String) -> Quota? {
        guard node.isObject else {
            note("\(path) must be an object", node)
            return nil
        }
        checkKeys(of: node, ["for", "per", "pages", "sheets", "copies", "color"], at: "\(path).")
        guard let subject = text(node, "for", at: path), let period: Quota.Period = choice(node, "per", at: path) else {
            if member(node, "per") == nil { note("\(path).per is missing", node) }
            return nil
        }
        func amount(_ key: String) -> Int? {
            guard let value = member(node, key)?.content else { return nil }
            if case .number(let number) = value { return Int(exactly: number) ?? -1 }
            return -1
        }
        let color = text(node, "color", at: path, required: false)
        let quota = Quota.Subject(label: subject).map {
            Quota(
                $0, per: period, pages: amount("pages"), sheets: amount("sheets"), copies: amount("copies"),
                color: color.flatMap(ColorHours.init))
        }
        guard let quota, quota.isValid, (color == nil) == (quota.color == nil) else {
            note("\(path) must have users and valid limits, as in 'printq quota set'", node)
            return nil
        }
        return quota
    }

    // MARK: - Printers

    private mutating func readPrinters(_ root: Node) -> [ConfiguredPrinter] {
        guard let list = member(root, "printers") else { return [] }
        guard case .array(let elements) = list.content else {
            note("printers must be an array", list)
            return []
        }
        var printers: [ConfiguredPrinter] = []
        for (index, element) in elements.enumerated() {
            guard let printer = readPrinter(element, at: "printers[\(index)]") else { continue }
            if printers.contains(where: { $0.name == printer.name }) {
                note(
                    "printers[\(index)].name: the export file contains printer '\(printer.name.printable)' twice",
                    element)
            }
            printers.append(printer)
        }
        return printers
    }

    private mutating func readPrinter(_ node: Node, at path: String) -> ConfiguredPrinter? {
        guard node.isObject else {
            note("\(path) must be an object", node)
            return nil
        }
        checkKeys(of: node, Self.printerKeys, at: "\(path).")
        guard let name = text(node, "name", at: path), let uri = text(node, "device-uri", at: path) else { return nil }
        if !ConfiguredPrinter.isValidName(name) {
            note(
                "\(path).name: invalid printer name '\(name.printable)': use 1 to 127 letters, digits, '-', '_' and "
                    + "'.', and begin with a letter or digit", member(node, "name") ?? node)
        }
        var printer = ConfiguredPrinter(name: name, deviceURI: uri)
        do throws(DeviceURI.Problem) { printer.deviceURI = try DeviceURI(uri).description } catch {
            note("\(path).device-uri: \(error.description.printable)", member(node, "device-uri") ?? node)
        }
        printer.info = text(node, "info", at: path, required: false) ?? ""
        printer.location = text(node, "location", at: path, required: false) ?? ""
        printer.geoLocation = text(node, "geo-location", at: path, required: false) ?? ""
        printer.organization = text(node, "organization", at: path, required: false) ?? ""
        printer.organizationalUnit = text(node, "organizational-unit", at: path, required: false) ?? ""
        printer.isShared = flag(node, "shared", at: path) ?? false
        printer.serviceName = text(node, "dns-sd-name", at: path, required: false) ?? ""
        printer.admitsAnonymous = flag(node, "anonymous", at: path) ?? false
        if let policy: ConfiguredPrinter.ErrorPolicy = choice(node, "error-policy", at: path) {
            printer.errorPolicy = policy
        }
        if let action: ConfiguredPrinter.AfterInterruption = choice(node, "after-interruption", at: path) {
            printer.afterInterruption = action
        }
        printer.options = readOptions(node, at: path)
        readPolicy(node, at: path, &printer)
        printer.isAccepting = flag(node, "accepting-jobs", at: path) ?? true
        printer.isPaused = flag(node, "paused", at: path) ?? false
        printer.pauseMessage = printer.isPaused ? text(node, "pause-message", at: path, required: false) ?? "" : ""
        return printer
    }

    private mutating func readOptions(_ node: Node, at path: String) -> [String: String] {
        guard let list = member(node, "default-options") else { return [:] }
        guard list.isObject else {
            note("\(path).default-options must be an object with option names and values", list)
            return [:]
        }
        var options: [String: String] = [:]
        for option in list.members {
            guard case .string(let value) = option.value.content, !value.isEmpty else {
                note("\(path).default-options.\(option.key.printable) must be a string", option.value)
                continue
            }
            do throws(SpoolerClientError) {
                _ = try [OptionText(name: option.key, value: value)].printerDefaults(now: 0)
                options[PrintOption.named(option.key)?.name ?? option.key] = value
            } catch {
                note("\(path).default-options: \(error.message)", option.value)
            }
        }
        return options
    }

    private mutating func readPolicy(_ node: Node, at path: String, _ printer: inout ConfiguredPrinter) {
        for list in PolicyList.allCases {
            let keys = list.exportKeys
            switch (names(node, keys.allowed, at: path), names(node, keys.denied, at: path)) {
            case (let names?, nil): printer.policy[list] = names.isEmpty ? .nobody : AccessList(allowing: names)
            case (nil, let names?): printer.policy[list] = names.isEmpty ? .everybody : AccessList(denying: names)
            case (nil, nil): break
            case (_?, _?): note("\(path): a printer cannot have both \(keys.allowed) and \(keys.denied)", node)
            }
        }
    }

    private mutating func readDefault(_ root: Node, _ printers: inout [ConfiguredPrinter]) {
        guard let name = text(root, "default-printer", required: false) else { return }
        guard let index = printers.firstIndex(where: { $0.name == name }) else {
            let nearest = NearestName.suggestion(for: name, in: printers.map(\.name))
            return note(
                "default-printer: the export file has no printer '\(name.printable)'\(nearest)",
                member(root, "default-printer") ?? root)
        }
        printers[index].isDefault = true
    }

    // MARK: - Settings and document types

    private mutating func readSettings(_ root: Node) -> [Setting: SettingValue] {
        guard let node = member(root, "settings") else { return [:] }
        guard node.isObject else {
            note("settings must be an object", node)
            return [:]
        }
        let file = ConfigurationFile(path: configuration, bytes: Array(document.bytes[node.range]))
        let first = document.line(of: node)
        for problem in file.problems {
            let line = first + (problem.line ?? 1) - 1
            problems.append((line, "line \(line): settings: \(problem.message.printable)"))
        }
        return file.values.mapValues(\.value)
    }

    private mutating func readTypes(_ root: Node) -> [ExportedSpool.TypeFile] {
        guard let node = member(root, "document-types") else { return [] }
        guard node.isObject else {
            note("document-types must be an object whose keys are file names", node)
            return []
        }
        return node.members.compactMap { file in
            let path = "document-types.\(file.key.printable)"
            guard file.key.hasSuffix(".json5"), !file.key.hasPrefix("."), !file.key.contains("/"),
                !file.key.utf8.contains(0)
            else {
                note(
                    "\(path): a file name must end with .json5, and must not begin with '.' or contain '/'", file.value)
                return nil
            }
            let definition = JSONText(file.value)
            do throws(DocumentTypeFileError) {
                _ = try DocumentType.registered(json5: Data(definition.text.utf8), file: file.key)
            } catch {
                note("\(path): \(error.description.printable)", file.value)
            }
            return ExportedSpool.TypeFile(name: file.key, definition: definition)
        }
    }

    // MARK: - Values

    private func member(_ node: Node, _ key: String) -> Node? {
        guard let value = node.members.last(where: { $0.key == key })?.value else { return nil }
        // null is the same as a missing key.
        if case .null = value.content { return nil }
        return value
    }

    private mutating func text(_ node: Node, _ key: String, at path: String = "", required: Bool = true) -> String? {
        let full = path.isEmpty ? key : "\(path).\(key)"
        guard let value = member(node, key) else {
            if required { note("\(full) is missing", node) }
            return nil
        }
        guard case .string(let text) = value.content else {
            note("\(full) must be a string", value)
            return nil
        }
        return text
    }

    private mutating func flag(_ node: Node, _ key: String, at path: String) -> Bool? {
        guard let value = member(node, key) else { return nil }
        guard case .bool(let flag) = value.content else {
            note("\(path).\(key) must be true or false", value)
            return nil
        }
        return flag
    }

    private mutating func names(_ node: Node, _ key: String, at path: String) -> [String]? {
        guard let value = member(node, key) else { return nil }
        guard case .array(let elements) = value.content else {
            note("\(path).\(key) must be an array of user names", value)
            return nil
        }
        return elements.compactMap { element in
            if case .string(let name) = element.content, !name.isEmpty, !name.contains(where: \.isWhitespace) {
                return name
            }
            note("\(path).\(key) must contain user names, or group names with a leading @", element)
            return nil
        }
    }

    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ node: Node, _ key: String, at path: String
    ) -> Choice? where Choice.RawValue == String {
        guard let value = text(node, key, at: path, required: false) else { return nil }
        if let choice = Choice(rawValue: value) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        note(
            "\(path).\(key): invalid value '\(value.printable)'; expected \(names.joined(separator: ", "))"
                + NearestName.suggestion(for: value, in: names), member(node, key) ?? node)
        return nil
    }

    private mutating func checkKeys(of node: Node, _ known: [String], at path: String) {
        var seen: Set<String> = []
        for member in node.members {
            let key = member.key.printable
            if !known.contains(member.key) {
                note("unknown key '\(path)\(key)'\(NearestName.suggestion(for: member.key, in: known))", member.value)
            } else if !seen.insert(member.key).inserted {
                note("the key '\(path)\(key)' occurs twice", member.value)
            }
        }
    }

    private mutating func note(_ message: String, _ node: Node) {
        let line = document.line(of: node)
        problems.append((line, "line \(line): \(message)"))
    }
}
