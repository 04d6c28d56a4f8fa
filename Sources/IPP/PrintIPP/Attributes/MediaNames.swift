// The tray and paper type names that `media` can contain in addition to a size.

import PrintModel

/// The names of trays and paper types that `media` can contain (`lp -o media=A4,tray-1`).
///
/// The same name can be a tray of one printer and a paper type of another printer. Therefore the printer-specific names
/// take precedence over the standard names.
public struct MediaNames: Sendable {
    /// The kind of object that a name in `media` identifies: a tray or a paper type.
    enum Meaning: Hashable, Sendable { case source, type }

    /// The printer-specific names of trays (`media-source-supported`).
    package var sources: Set<String>
    /// The printer-specific names of paper types (`media-type-supported`).
    package var types: Set<String>

    /// The printer-specific names extend the standard names.
    package init(sources: Set<String> = [], types: Set<String> = []) {
        (self.sources, self.types) = (sources, types)
    }

    /// Returns the kind of object that a name identifies, or `nil` if the name is unknown.
    func meaning(of word: String) -> Meaning? {
        if sources.contains(word) { return .source }
        if types.contains(word) { return .type }
        let stem = String(word.prefix { $0 != "_" })
        if Self.standardSources.contains(word) || Self.isNumberedSource(word) { return .source }
        return Self.standardTypes.contains(stem) || stem.hasPrefix("stationery") || stem.hasPrefix("photographic")
            ? .type : nil
    }

    /// The `media-source` values of PWG 5100.7 (formerly PWG 5100.3 §3.13.8).
    private static let standardSources: Set = [
        "auto", "main", "alternate", "top", "middle", "bottom", "side", "left", "right", "center", "rear", "manual",
        "by-pass-tray", "large-capacity", "envelope", "photo", "hagaki", "disc", "main-roll", "alternate-roll",
    ]

    /// Returns whether a name is the name of a numbered tray, such as `tray-1` or `roll-2`.
    private static func isNumberedSource(_ word: String) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && ["tray", "roll"].contains(parts[0]) && Int(parts[1]) ?? 0 > 0
    }

    /// The `media-type` values of PWG 5101.1 §3 that do not begin with `stationery` or `photographic`.
    private static let standardTypes: Set = [
        "aluminum", "auto", "back-print-film", "cardboard", "cardstock", "cd", "continuous", "continuous-long",
        "continuous-short", "corrugated-board", "disc", "double-wall", "dry-film", "dvd", "embossing-foil", "end-board",
        "envelope", "envelope-archival", "envelope-bond", "envelope-coated", "envelope-cotton", "envelope-fine",
        "envelope-heavyweight", "envelope-inkjet", "envelope-lightweight", "envelope-plain", "envelope-preprinted",
        "envelope-window", "fabric", "film", "flexo-base", "flute", "foil", "full-cut-tabs", "glass",
        "gravure-cylinder",
        "image-setter-paper", "labels", "labels-colored", "labels-continuous", "labels-glossy", "labels-heavyweight",
        "labels-inkjet", "labels-matte", "labels-permanent", "labels-satin", "labels-security", "letterhead",
        "metal", "mounting-tape", "multi-layer", "multi-part-form", "other", "paper", "plate", "polyester",
        "pre-cut-tabs", "roll", "screen", "screen-paged", "self-adhesive", "shrink-foil", "sleeve", "tab-stock",
        "tractor", "transfer", "transparency", "triple-wall", "wet-film",
    ]
}

extension ServedPrinter {
    var mediaNames: MediaNames {
        func own(_ name: String) -> [String] {
            extra.first { $0.name == name }?.values.compactMap(\.stringValue) ?? []
        }
        return MediaNames(
            sources: Set(own("media-source-supported")),
            types: Set(own("media-type-supported") + capabilities.papers.compactMap(\.type)))
    }
}
