// The attributes that a client requests.

import IPP
import PrintModel

/// The attribute names and group names in `requested-attributes` (RFC 8011 §4.2.5.1).
public struct RequestedAttributes: Sendable {
    private let names: Set<String>?
    /// The names if the client requests few attributes and no group, because a short list is faster than a set.
    private let few: [String]
    /// This value is checked for each job of a list.
    let wantsJobOptions: Bool

    /// The attributes that are expensive to compute and to send.
    ///
    /// The service returns these attributes only to clients that request the attributes by name (PWG 5100.11, IPP
    /// Everywhere §4.3).
    private static let onlyByName: Set<String> = ["media-col-database"]

    /// All attributes except the attributes that clients must request by name.
    package static let all = RequestedAttributes(names: nil)

    /// Creates a set of requested attributes from the keywords of `requested-attributes`.
    package init(_ keywords: [String]) {
        self.init(names: keywords.isEmpty || keywords.contains("all") && keywords.count == 1 ? nil : Set(keywords))
    }

    private init(names: Set<String>?) {
        self.names = names
        few = names.flatMap { $0.count <= 4 && $0.isDisjoint(with: Self.groups) ? Array($0) : nil } ?? []
        wantsJobOptions = names.map { !$0.isDisjoint(with: Self.jobOptions) } ?? true
    }

    private static let groups: Set = [
        "all", "job-description", "job-template", "printer-description", "subscription-description",
        "subscription-template",
    ]

    private static let jobOptions = Set(PrintOption.all.map(\.name)).union([
        "job-hold-until-time", "media-col", "job-template", "all",
    ])

    /// Returns whether the client requests an attribute by its name or by a group.
    ///
    /// - Parameter groups: The names of the groups that contain the attribute.
    package func wants(_ name: String, in groups: [String] = []) -> Bool {
        if !few.isEmpty { return few.contains(name) }
        guard let names else { return !Self.isHidden(name) }
        if names.contains(name) { return true }
        if Self.isHidden(name) { return false }
        return names.contains("all") || groups.contains { names.contains($0) }
    }

    /// Returns whether the client requests only attributes with the given names.
    ///
    /// The result is false if the request has no list of attributes.
    func areAll(in others: Set<String>) -> Bool { names.map { $0.isSubset(of: others) } ?? false }

    /// The requested names in alphabetical order; empty if the request has no list of attributes.
    var sortedNames: [String] { names?.sorted() ?? [] }

    /// Returns whether clients must request an attribute by name.
    ///
    /// This rule applies to expensive attributes, and to attributes of printq that are not job options.
    private static func isHidden(_ name: String) -> Bool {
        onlyByName.contains(name) || name.hasPrefix("printq-") && !ownOptions.contains(name)
    }

    /// The job options that no standard defines, and the printer attributes that describe these options.
    private static let ownOptions = Set(
        PrintOption.all.map(\.name).filter { $0.hasPrefix("printq-") }
            .flatMap { [$0, "\($0)-supported", "\($0)-default"] })

    /// Returns whether an attribute is requested by name, and not only by a group name.
    ///
    /// Use this method for expensive attributes.
    package func names(_ name: String) -> Bool {
        few.isEmpty ? names?.contains(name) ?? false : few.contains(name)
    }

    /// Returns the attributes that the client requests, without duplicate names.
    ///
    /// - Parameter groups: The names of the groups that contain the given attributes.
    func filter(_ attributes: [Attribute], in groups: [String]) -> [Attribute] {
        var seen: Set<String> = []
        return attributes.filter { wants($0.name, in: groups) && seen.insert($0.name).inserted }
    }
}
