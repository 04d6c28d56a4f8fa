// Finds the applications that open a type of document.

import FoundationEssentials
public import PrintModel
import SafeFiles

/// The applications of the desktop, and the document types that each application opens (freedesktop.org MIME
/// Applications Associations 1.0).
///
///     ApplicationRegistry().applications(for: [.pdf]).first?.name     // "Document Viewer"
public struct ApplicationRegistry: Sendable {
    private static let mostEntries = 5_000

    private let lists: [DesktopFile]
    private let folders: [String]

    /// Creates the registry of the current user.
    public init() { self.init(environment: ProcessInfo.processInfo.environment) }

    /// Creates the registry that environment variables describe (XDG Base Directory Specification).
    init(environment: [String: String]) {
        func folders(_ name: String, _ byDefault: String) -> [String] {
            let value = environment[name] ?? ""
            // The specification ignores relative paths.
            let paths = (value.isEmpty ? byDefault : value).split(separator: ":").map(String.init)
            return paths.filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"] ?? ""
        let configuration =
            folders("XDG_CONFIG_HOME", "\(home)/.config").prefix(1) + folders("XDG_CONFIG_DIRS", "/etc/xdg")
        let data =
            folders("XDG_DATA_HOME", "\(home)/.local/share").prefix(1)
            + folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
        self.folders = data.map { "\($0)/applications" }
        let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":")
        let names = desktops.map { "\($0)-mimeapps.list" } + ["mimeapps.list"]
        lists = (configuration + self.folders).flatMap { folder in names.map { "\(folder)/\($0)" } }
            .compactMap { Self.text(of: $0).map { DesktopFile($0) } }
    }

    /// Returns the applications that open documents of a type, the best application first.
    ///
    /// The rank is `owner` for the application that the user or the system has chosen. The rank is `default` for other
    /// applications with an association or a desktop entry for the type. The rank is `alternate` for applications that
    /// open the document as plain text.
    ///
    /// - Parameter formats: The media types of the document type.
    public func applications(for formats: [DocumentFormat]) -> [DocumentApplication] {
        let types = formats.map(\.rawValue)
        let entries = allEntries()
        var ranks: [(id: String, rank: DocumentType.HandlerRank)] = []
        var removed: Set<String> = []
        for type in types {
            // A list takes precedence over the following lists.
            for list in lists {
                ranks += list.list(type, in: "Default Applications").filter { !removed.contains($0) }
                    .map { ($0, .owner) }
                ranks += list.list(type, in: "Added Associations").filter { !removed.contains($0) }
                    .map { ($0, .default) }
                removed.formUnion(list.list(type, in: "Removed Associations"))
            }
        }
        // Only the first installed default application is the default.
        if let owner = ranks.first(where: { $0.rank == .owner && entries[$0.id] != nil })?.id {
            ranks = ranks.map { $0.rank == .owner && $0.id != owner ? ($0.id, .default) : $0 }
        }
        let opening = entries.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        let formats = Set(formats)
        ranks += opening.filter { !formats.isDisjoint(with: $0.formats) && !removed.contains($0.id) }
            .map { ($0.id, .default) }
        if types.contains(where: { $0.hasPrefix("text/") }), !formats.contains(.text) {
            ranks += opening.filter { $0.formats.contains(.text) && !removed.contains($0.id) }
                .map { ($0.id, .alternate) }
        }
        var seen: Set<String> = []
        let found = ranks.compactMap { id, rank -> DocumentApplication? in
            guard var application = entries[id], seen.insert(id).inserted else { return nil }
            application.rank = rank
            return application
        }
        return DocumentType.HandlerRank.allCases.flatMap { rank in found.filter { $0.rank == rank } }
    }

    /// An entry in an earlier folder hides entries in later folders.
    private func allEntries() -> [String: DocumentApplication] {
        var entries: [String: DocumentApplication] = [:]
        var seen: Set<String> = []
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted().prefix(Self.mostEntries) where name.hasSuffix(".desktop") {
                guard seen.insert(name).inserted else { continue }
                let path = "\(folder)/\(name)"
                entries[name] = Self.text(of: path).flatMap { DocumentApplication(id: name, entry: $0, path: path) }
            }
        }
        return entries
    }

    /// Returns the first MiB of a text file, or `nil` if the file cannot be read.
    private static func text(of path: String) -> String? {
        guard let bytes = try? FileBytes.read(path, count: 1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
