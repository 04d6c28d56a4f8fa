// Decides which changes an import makes, without making them.

package import PrintModel
package import SpoolConfiguration

/// The changes that an import makes to a spool.
///
/// If the export document does not contain a printer or a setting, the import does not change this printer or setting.
package struct ImportPlan: Sendable, Equatable {
    /// The change that an import makes to one object.
    package enum Action: String, Sendable {
        /// The creation of an object that does not exist.
        case add
        /// An update of an existing object with the values from the export document.
        case change
        /// No change to an object whose values differ from the export document, because the user did not request a
        /// replacement.
        case keep
        /// No change: the object already has the values in the export document.
        case none
    }

    /// A printer in the export document, and the change that the import makes to the printer.
    package struct Printer: Sendable, Equatable {
        /// The printer in the export document.
        package var new: ConfiguredPrinter
        /// The existing printer; nil if there is no printer with this name.
        package var old: ConfiguredPrinter?
        /// The change that the import makes to the printer.
        package var action: Action
        /// The keys whose values differ between the export document and the existing printer.
        package var differences: [String]
    }

    /// A setting in the export document, and the change that the import makes to the setting.
    package struct ChangedSetting: Sendable, Equatable {
        /// The setting that the import changes or keeps.
        package var setting: Setting
        /// The value of the setting in the export document.
        package var new: SettingValue
        /// The value in the configuration file; nil if the file does not contain the setting.
        package var old: SettingValue?
        /// The change that the import makes to the setting.
        package var action: Action
    }

    /// A file with registered document types, and the change that the import makes to the file.
    package struct TypeFile: Sendable, Equatable {
        /// The file in the export document.
        package var file: ExportedSpool.TypeFile
        /// The change that the import makes to the file.
        package var action: Action
    }

    /// A quota in the export document, and the change that the import makes to the quota.
    package struct ChangedQuota: Sendable, Equatable {
        /// The quota in the export document.
        package var quota: Quota
        /// The change that the import makes to the quota.
        package var action: Action
    }

    /// The printers, in the order of the export document.
    package var printers: [Printer]
    /// The default printer in the export document, and the change that the import makes to the default printer of the
    /// spool; nil if the export document has no default printer.
    package var defaultPrinter: (name: String, action: Action)?
    /// The settings, in the order of `Setting.all`.
    package var settings: [ChangedSetting]
    /// The files with registered document types.
    package var documentTypes: [TypeFile]
    /// The quotas, in the order of the export document.
    package var quotas: [ChangedQuota]

    /// Creates the plan for importing a document: compares the document with the existing objects of the spool.
    ///
    /// - Parameters:
    ///   - replaces: Whether the import changes existing objects that have other values.
    package init(
        _ new: ExportedSpool, into old: ExportedSpool, replaces: Bool
    ) {
        func action(exists: Bool, isEqual: Bool) -> Action {
            !exists ? .add : isEqual ? .none : replaces ? .change : .keep
        }
        printers = new.printers.map { printer in
            let existing = old.printers.first { $0.name == printer.name }
            let differences = existing.map { printer.differences(from: $0) } ?? []
            return Printer(
                new: printer, old: existing,
                action: action(exists: existing != nil, isEqual: differences.isEmpty), differences: differences)
        }
        defaultPrinter = new.defaultPrinter.map { name in
            (name, action(exists: old.defaultPrinter != nil, isEqual: old.defaultPrinter == name))
        }
        settings = Setting.all.compactMap { setting in
            guard let value = new.settings[setting] else { return nil }
            let existing = old.settings[setting]
            // A setting that the file does not set has its default.
            let isEqual = existing ?? setting.standard == value
            return ChangedSetting(
                setting: setting, new: value, old: existing,
                action: isEqual ? .none : action(exists: existing != nil, isEqual: false))
        }
        documentTypes = new.documentTypes.map { file in
            let existing = old.documentTypes.first { $0.name == file.name }
            return TypeFile(
                file: file,
                action: action(exists: existing != nil, isEqual: existing?.definition == file.definition))
        }
        quotas = new.quotas.map { quota in
            let existing = old.quotas.first { $0.subject == quota.subject && $0.period == quota.period }
            return ChangedQuota(quota: quota, action: action(exists: existing != nil, isEqual: existing == quota))
        }
    }

    /// Returns whether two plans are equal.
    package static func == (a: ImportPlan, b: ImportPlan) -> Bool {
        a.printers == b.printers && a.settings == b.settings && a.documentTypes == b.documentTypes
            && a.quotas == b.quotas
            && a.defaultPrinter?.name == b.defaultPrinter?.name
            && a.defaultPrinter?.action == b.defaultPrinter?.action
    }
}

extension ConfiguredPrinter {
    /// Returns the keys of an export document whose values differ between this printer and `other`.
    func differences(from other: ConfiguredPrinter) -> [String] {
        var keys: [String] = []
        func compare<Value: Equatable>(_ key: String, _ value: (ConfiguredPrinter) -> Value) {
            if value(self) != value(other) { keys.append(key) }
        }
        compare("device-uri", \.deviceURI)
        compare("info", \.info)
        compare("location", \.location)
        compare("geo-location", \.geoLocation)
        compare("organization", \.organization)
        compare("organizational-unit", \.organizationalUnit)
        compare("shared", \.isShared)
        compare("dns-sd-name", \.serviceName)
        compare("anonymous", \.admitsAnonymous)
        compare("error-policy", \.errorPolicy)
        compare("after-interruption", \.afterInterruption)
        // Options can be written in several ways.
        if options != other.options { compare("default-options") { $0.defaultTicket(for: nil) } }
        for list in PolicyList.allCases where policy[list] != other.policy[list] {
            let names = policy[list].isSame(as: list.standard) ? other.policy[list] : policy[list]
            keys.append(list.exportKey(of: names))
        }
        compare("accepting-jobs", \.isAccepting)
        compare("paused", \.isPaused)
        if isPaused, other.isPaused { compare("pause-message", \.pauseMessage) }
        return keys
    }
}

extension PolicyList {
    /// The keys of the list in an export document, such as `allowed-users` and `denied-look-users`.
    var exportKeys: (allowed: String, denied: String) {
        let name = self == .submitters ? "users" : keyword
        return ("allowed-\(name)", "denied-\(name)")
    }

    /// The keys of all lists.
    static let allExportKeys = allCases.flatMap { [$0.exportKeys.allowed, $0.exportKeys.denied] }

    /// Returns the key under which an export document has a list.
    func exportKey(of names: AccessList) -> String {
        switch names {
        case .allowed: exportKeys.allowed
        case .denied: exportKeys.denied
        }
    }
}
