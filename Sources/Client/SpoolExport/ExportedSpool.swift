// The printers and settings of a spool, as one JSON document that people can read and edit.
//
// Module overview: the file of `printq export` and `printq import`.
//
//   printers, settings ─► ExportedSpool ─► JSON        (printq export)
//   JSON ─► ExportedSpool ─► ImportPlan ─► requests    (printq import)

package import PrintModel
package import SpoolerClient
package import SpoolConfiguration

/// An export document: the printers, settings and registered document types of a spool.
///
/// The document contains no passwords and no private keys. Only a backup contains credentials for printers and private
/// keys.
package struct ExportedSpool: Sendable, Equatable {
    /// The value of the member `format`, which identifies an export document.
    package static let format = "printq-export"
    /// The version of the export format.
    ///
    /// The version increases when older programs cannot read the new format.
    package static let formatVersion = 1

    /// The version of the program that wrote the export document.
    package var programVersion: String
    /// The printers, sorted by name.
    ///
    /// At most one printer is the default printer.
    package var printers: [ConfiguredPrinter]
    /// The settings of the configuration file.
    ///
    /// The export document omits settings that have their default values.
    package var settings: [Setting: SettingValue]
    /// The files with registered document types, sorted by name.
    package var documentTypes: [TypeFile]
    /// The quotas, without what users have printed.
    package var quotas: [Quota]

    /// A file with registered document types.
    package struct TypeFile: Sendable, Hashable {
        /// The name of the file, such as `labels.json5`.
        package var name: String
        /// The content of the file.
        package var definition: JSONText

        /// Creates a file with registered document types.
        package init(name: String, definition: JSONText) { (self.name, self.definition) = (name, definition) }
    }

    package init(
        programVersion: String = Release.version, printers: [ConfiguredPrinter],
        settings: [Setting: SettingValue] = [:],
        documentTypes: [TypeFile] = [], quotas: [Quota] = []
    ) {
        self.programVersion = programVersion
        self.printers = printers.sorted { $0.name < $1.name }
        self.settings = settings
        self.documentTypes = documentTypes.sorted { $0.name < $1.name }
        self.quotas = quotas
    }

    /// The name of the default printer; nil if there is no default printer.
    package var defaultPrinter: String? { printers.first(where: \.isDefault)?.name }

    /// The settings that differ from their defaults.
    package var changedSettings: [Setting: SettingValue] {
        settings.filter { $0.value != $0.key.standard && $0.value != .none }
    }

    // MARK: - Writing

    /// The text of the export document, with a newline at its end.
    package var text: String { json.text + "\n" }

    /// The export document as JSON.
    ///
    /// The same spool always results in the same JSON text.
    package var json: JSONText {
        // Earlier versions refuse the key.
        let limits = quotas.isEmpty ? [] : [("quotas", JSONText.array(quotas.map(Self.json)))]
        return .object(
            [
                ("format", .string(Self.format)), ("format-version", .number(Self.formatVersion)),
                ("program-version", .string(programVersion)),
                ("default-printer", defaultPrinter.map { .string($0) } ?? .null),
                ("printers", .array(printers.map(Self.json))), ("settings", settingsJSON),
                ("document-types", .object(documentTypes.map { ($0.name, $0.definition) })),
            ] + limits)
    }

    private static func json(_ quota: Quota) -> JSONText {
        let amounts = [("pages", quota.pages), ("sheets", quota.sheets), ("copies", quota.copies)]
        return .object(
            [("for", .string(quota.subject.label)), ("per", .string(quota.period.rawValue))]
                + amounts.compactMap { name, amount in amount.map { (name, .number($0)) } }
                + (quota.color.map { [("color", .string($0.description))] } ?? []))
    }

    private static func json(_ printer: ConfiguredPrinter) -> JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("name", .string(printer.name)), ("device-uri", .string(printer.deviceURI)),
            ("info", .string(printer.info)), ("location", .string(printer.location)),
            ("error-policy", .string(printer.errorPolicy.rawValue)),
            ("after-interruption", .string(printer.afterInterruption.rawValue)),
            (
                "default-options",
                .object(printer.options.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
            ),
        ]
        for (key, text) in [
            ("geo-location", printer.geoLocation), ("organization", printer.organization),
            ("organizational-unit", printer.organizationalUnit), ("dns-sd-name", printer.serviceName),
        ] where !text.isEmpty {
            members.append((key, .string(text)))
        }
        for (key, flag) in [("shared", printer.isShared), ("anonymous", printer.admitsAnonymous)] where flag {
            members.append((key, .bool(true)))
        }
        for list in PolicyList.allCases where !printer.policy[list].isSame(as: list.standard) {
            let names = printer.policy[list]
            members.append((list.exportKey(of: names), .strings(names.admitsEverybody ? ["none"] : names.names)))
        }
        members.append(("accepting-jobs", .bool(printer.isAccepting)))
        members.append(("paused", .bool(printer.isPaused)))
        if printer.isPaused { members.append(("pause-message", .string(printer.pauseMessage))) }
        return .object(members)
    }

    /// The changed settings as JSON, in the order of `Setting.all`, with the same keys and nesting as in
    /// `printd.json5`.
    private var settingsJSON: JSONText {
        let settings = changedSettings
        var members: [(name: String, value: JSONText)] = []
        for setting in Setting.all {
            guard let value = settings[setting] else { continue }
            let path = setting.path
            guard path.count > 1 else {
                members.append((path[0], value.json))
                continue
            }
            let inner = (name: path[1], value: value.json)
            if let index = members.firstIndex(where: { $0.name == path[0] }),
                case .object(let others) = members[index].value
            {
                members[index].value = .object(others + [inner])
            } else {
                members.append((path[0], .object([inner])))
            }
        }
        return .object(members)
    }
}

extension SettingValue {
    package var json: JSONText {
        switch self {
        case .none: .null
        case .bool(let isOn): .bool(isOn)
        case .number(let number): Int(exactly: number).map { .number($0) } ?? .decimal(number)
        case .text(let text): .string(text)
        case .list(let texts): .array(texts.map { .string($0) })
        case .files(let certificate, let key):
            .object([("certificate", .string(certificate)), ("key", .string(key))])
        }
    }
}

extension JSONText {
    /// Creates a JSON value from a value of a JSON5 document.
    ///
    /// If a key occurs several times, the last value applies.
    package init(_ node: JSON5Node) {
        switch node.content {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .number(let number): self = Int(exactly: number).map { .number($0) } ?? .decimal(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONText($0) })
        case .object(let members):
            var found: [(name: String, value: JSONText)] = []
            for member in members {
                found.removeAll { $0.name == member.key }
                found.append((member.key, JSONText(member.value)))
            }
            self = .object(found)
        }
    }
}
