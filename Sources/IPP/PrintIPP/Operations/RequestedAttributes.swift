// The attributes that a client requests.

import IPP
import PrintModel

/// The names and group names in `requested-attributes` (RFC 8011 §4.2.5.1).
public struct RequestedAttributes: Sendable {
    private let names: Set<String>?
    /// Whether any job option is requested.
    ///
    /// This value is checked for each job of a list.
    let wantsJobOptions: Bool

    /// Expensive attributes, which are returned only if they are requested by name (PWG 5100.11, IPP Everywhere
    /// §4.3).
    private static let onlyByName: Set<String> = ["media-col-database"]

    /// All attributes except the expensive attributes.
    public static let all = RequestedAttributes(names: nil)

    /// Creates a choice of names and groups.
    public init(_ keywords: [String]) {
        self.init(names: keywords.isEmpty || keywords.contains("all") && keywords.count == 1 ? nil : Set(keywords))
    }

    private init(names: Set<String>?) {
        self.names = names
        wantsJobOptions = names.map { !$0.isDisjoint(with: Self.jobOptions) } ?? true
    }

    /// The names and groups that include job options.
    private static let jobOptions = Set(PrintOption.all.map(\.name)).union(["media-col", "job-template", "all"])

    /// Returns whether an attribute in one of the given groups is requested.
    public func wants(_ name: String, in groups: [String] = []) -> Bool {
        guard let names else { return !Self.isHidden(name) }
        if names.contains(name) { return true }
        if Self.isHidden(name) { return false }
        return names.contains("all") || groups.contains { names.contains($0) }
    }

    /// Returns whether an attribute is returned only if it is requested by name: expensive attributes, and attributes
    /// of printq that are not options of jobs.
    private static func isHidden(_ name: String) -> Bool {
        onlyByName.contains(name) || name.hasPrefix("printq-") && !ownOptions.contains(name)
    }

    /// The options of jobs that no standard defines, and the attributes of printers about them.
    private static let ownOptions = Set(
        PrintOption.all.map(\.name).filter { $0.hasPrefix("printq-") }
            .flatMap { [$0, "\($0)-supported", "\($0)-default"] })

    /// Returns whether an attribute is requested by its own name.
    ///
    /// Use this method for expensive attributes.
    public func names(_ name: String) -> Bool { names?.contains(name) ?? false }

    /// Returns the requested attributes of the given groups, each name once.
    func filter(_ attributes: [Attribute], in groups: [String]) -> [Attribute] {
        var seen: Set<String> = []
        return attributes.filter { wants($0.name, in: groups) && seen.insert($0.name).inserted }
    }
}
