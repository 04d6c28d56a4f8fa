// Which attributes a client wants to see.

import IPP
import PrintModel

/// The choice of attributes a client asks for (`requested-attributes`, RFC 8011 §4.2.5.1): names and group names.
public struct RequestedAttributes: Sendable {
    private let names: Set<String>?
    /// Whether any of the options of jobs is wanted; asked for each job of a list.
    let wantsJobOptions: Bool

    /// Attributes that cost much and come only when asked for by name (PWG 5100.11, IPP Everywhere §4.3).
    private static let onlyByName: Set<String> = ["media-col-database"]

    /// Every attribute but those that cost much.
    public static let all = RequestedAttributes(names: nil)

    /// The given names and groups.
    public init(_ keywords: [String]) {
        self.init(names: keywords.isEmpty || keywords.contains("all") && keywords.count == 1 ? nil : Set(keywords))
    }

    private init(names: Set<String>?) {
        self.names = names
        wantsJobOptions = names.map { !$0.isDisjoint(with: Self.jobOptions) } ?? true
    }

    /// The names and groups that ask for options of jobs.
    private static let jobOptions = Set(PrintOption.all.map(\.name)).union(["media-col", "job-template", "all"])

    /// Whether the attribute of that name is wanted, being in one of the given groups.
    public func wants(_ name: String, in groups: [String] = []) -> Bool {
        guard let names else { return !Self.onlyByName.contains(name) && !name.hasPrefix("printq-") }
        if names.contains(name) { return true }
        if Self.onlyByName.contains(name) || name.hasPrefix("printq-") { return false }
        return names.contains("all") || groups.contains { names.contains($0) }
    }

    /// Whether the attribute is asked for by its very name; for what is costly to find out.
    public func names(_ name: String) -> Bool { names?.contains(name) ?? false }

    /// Those of `attributes` that are wanted, being in the given groups; each name once.
    func filter(_ attributes: [Attribute], in groups: [String]) -> [Attribute] {
        var seen: Set<String> = []
        return attributes.filter { wants($0.name, in: groups) && seen.insert($0.name).inserted }
    }
}
