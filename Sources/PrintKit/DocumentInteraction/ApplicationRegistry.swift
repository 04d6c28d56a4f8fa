// Finds the applications that open a type of document.

import FoundationEssentials
public import PrintKit
import PrintModel

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
        let places = DesktopFolders(environment: environment)
        self.folders = places.data.map { "\($0)/applications" }
        let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":")
        let names = desktops.map { "\($0)-mimeapps.list" } + ["mimeapps.list"]
        lists = (places.configuration + self.folders).flatMap { folder in names.map { "\(folder)/\($0)" } }
            .compactMap { DesktopFile(path: $0) }
    }

    /// Returns the applications that open documents of a type, the best application first.
    ///
    /// The rank is `owner` for the application that the user or the system has chosen. The rank is `default` for other
    /// applications with an association or a desktop entry for the type. The rank is `alternate` for applications that
    /// open a more general type, such as text editors for a calendar, the most special type first.
    ///
    /// - Parameter formats: The media types of the document type, the best media type first.
    public func applications(for formats: [DocumentFormat]) -> [DocumentApplication] {
        var candidates = Candidates(entries: allEntries(), lists: lists)
        let exact = Self.unique(formats.flatMap { [$0, SharedMIMEDatabase.canonical($0)] })
        for format in exact { candidates.addChoices(for: format) }
        candidates.demoteOwners()
        candidates.addEntries(for: exact, rank: .default)
        if let format = exact.first {
            for general in candidates.generalTypes(of: format) where !exact.contains(general) {
                candidates.addChoices(for: general, rank: .alternate)
                candidates.addEntries(for: [general], rank: .alternate)
            }
        }
        return candidates.applications
    }

    private static func unique(_ formats: [DocumentFormat]) -> [DocumentFormat] {
        var seen: Set<DocumentFormat> = []
        return formats.filter { seen.insert($0).inserted }
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
                entries[name] = DesktopFile.text(of: path).flatMap {
                    DocumentApplication(id: name, entry: $0, path: path)
                }
            }
        }
        return entries
    }
}

/// The applications that are found for a type, with their ranks.
private struct Candidates {
    let entries: [String: DocumentApplication]
    let lists: [DesktopFile]
    private let opening: [DocumentApplication]
    private var ranks: [(id: String, rank: DocumentType.HandlerRank)] = []
    private var removed: Set<String> = []

    init(entries: [String: DocumentApplication], lists: [DesktopFile]) {
        (self.entries, self.lists) = (entries, lists)
        opening = entries.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Adds the applications that lists contain for a type.
    ///
    /// A list takes precedence over the following lists.
    ///
    /// - Parameter rank: The rank of all applications; `nil` for the rank that a list gives to an application.
    mutating func addChoices(for format: DocumentFormat, rank: DocumentType.HandlerRank? = nil) {
        for list in lists {
            for (group, own) in [
                ("Default Applications", DocumentType.HandlerRank.owner), ("Added Associations", .default),
            ] {
                ranks += list.list(format.rawValue, in: group).filter { !removed.contains($0) }.map {
                    ($0, rank ?? own)
                }
            }
            if rank == nil { removed.formUnion(list.list(format.rawValue, in: "Removed Associations")) }
        }
    }

    /// Only the first installed default application is the owner.
    mutating func demoteOwners() {
        guard let owner = ranks.first(where: { $0.rank == .owner && entries[$0.id] != nil })?.id else { return }
        ranks = ranks.map { $0.rank == .owner && $0.id != owner ? ($0.id, .default) : $0 }
    }

    mutating func addEntries(for formats: [DocumentFormat], rank: DocumentType.HandlerRank) {
        ranks += opening.filter { !Set($0.formats).isDisjoint(with: formats) && !removed.contains($0.id) }
            .map { ($0.id, rank) }
    }

    /// Returns the types of applications that include a type, the most special type first.
    func generalTypes(of format: DocumentFormat) -> [DocumentFormat] {
        let types = Set(opening.flatMap(\.formats)).filter { $0 != format && SharedMIMEDatabase.isA(format, $0) }
        // The more of these types include a type, the more special it is.
        let depths = Dictionary(
            uniqueKeysWithValues: types.map { type in (type, types.count { SharedMIMEDatabase.isA(type, $0) }) })
        return types.sorted { (-depths[$0, default: 0], $0.rawValue) < (-depths[$1, default: 0], $1.rawValue) }
    }

    var applications: [DocumentApplication] {
        var seen: Set<String> = []
        let found = ranks.compactMap { id, rank -> DocumentApplication? in
            guard var application = entries[id], seen.insert(id).inserted else { return nil }
            application.rank = rank
            return application
        }
        return DocumentType.HandlerRank.allCases.flatMap { rank in found.filter { $0.rank == rank } }
    }
}
