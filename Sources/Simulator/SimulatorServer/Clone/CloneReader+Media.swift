// Reads the papers of a printer that is cloned.

import IPP
import PrintIPP
import PrintModel

struct CloneMedia {
    var values: [FileValue] = []
    var margins: FileValue?
    var types: FileValue?
    var byDefault: FileValue?
    var custom: FileValue?
}

extension CloneReader {
    private static let mostPapers = 4_096
    private static let sides = 100...1_000_000

    private struct Sized {
        var media: Media
        /// The supported margins of each paper type; several elements if the type supports, for example, normal margins
        /// and borderless printing.
        var types: [String?: [Margins]] = [:]
        var order: [String?] = []
    }

    /// Reads the papers from `media-col-database`, or from the names of the sizes if there is no database.
    mutating func media() -> CloneMedia {
        read.formUnion([
            "media-col-database", "media-supported", "media-default", "media-col-default", "media-type-supported",
            "media-size-supported", "media-ready", "media-col-ready", "media-bottom-margin-supported",
            "media-top-margin-supported", "media-left-margin-supported", "media-right-margin-supported",
        ])
        let papers = papers()
        guard !papers.isEmpty else { return CloneMedia() }
        let usual = usualMargins(papers)
        var sizes: [Sized] = []
        var places: [Media: Int] = [:]
        for paper in papers {
            let place = places[paper.media] ?? sizes.count
            if place == sizes.count {
                sizes.append(Sized(media: paper.media))
                places[paper.media] = place
            }
            if sizes[place].types[paper.type] == nil { sizes[place].order.append(paper.type) }
            if sizes[place].types[paper.type]?.contains(paper.margins) != true {
                sizes[place].types[paper.type, default: []].append(paper.margins)
            }
        }
        let shared = usualTypes(sizes.map(\.order))
        var media = CloneMedia()
        media.margins = value(of: usual)
        media.types = shared.isEmpty ? nil : .texts(shared)
        media.values = sizes.flatMap { values(of: $0, usual: usual, types: shared) }
        media.byDefault = defaultMedia(among: sizes.map(\.media))
        media.custom = customMedia(usual: usual)
        return media
    }

    private mutating func papers() -> [PrintPaper] {
        let database = attributes["media-col-database"]?.values.compactMap(\.collectionValue) ?? []
        var papers: [PrintPaper] = []
        var unsupported = 0
        for collection in database.prefix(Self.mostPapers) where !isRange(collection) {
            guard var paper = PrintPaper(mediaCol: collection), isUsable(paper) else {
                unsupported += 1
                continue
            }
            if let name = collection.string("media-size-name"), let named = Media(name: name),
                named.hasSameSize(as: paper.media)
            {
                paper.media = named
            }
            paper.type = paper.type.map { PrinterFileText.sanitized($0, to: 120) }
            papers.append(paper)
        }
        if papers.isEmpty { papers = papersByName() }
        if unsupported > 0 {
            notes.append("\(unsupported) entries of media-col-database whose size or margins are not usable")
        }
        if database.count > Self.mostPapers {
            notes.append(
                "\(database.count - Self.mostPapers) entries of media-col-database after the first "
                    + "\(Self.mostPapers)")
        }
        return papers
    }

    /// The function is used for a printer without the attribute `media-col-database`.
    private mutating func papersByName() -> [PrintPaper] {
        let names = attributes.strings("media-supported") + attributes.strings("media-default")
        let sizes = names.filter { !$0.hasPrefix("custom_min_") && !$0.hasPrefix("custom_max_") }
            .compactMap(Media.init(name:)).unique.prefix(Self.mostPapers)
        let types = attributes.strings("media-type-supported").filter { $0 != "auto" }
            .map { PrinterFileText.sanitized($0, to: 120) }.unique.prefix(32)
        func margins(_ edge: String) -> [Length] {
            attributes["media-\(edge)-margin-supported"]?.values.compactMap(\.intValue)
                .filter { (0...10_000).contains($0) }.map { Length(hundredths: Int($0)) } ?? []
        }
        func most(_ edge: String) -> Length { margins(edge).max() ?? .millimeters(4.23) }
        let edges = ["top", "left", "bottom", "right"]
        let with = Margins(top: most("top"), left: most("left"), bottom: most("bottom"), right: most("right"))
        let isBorderless = edges.allSatisfy { margins($0).contains(.zero) } && with != .zero
        notes.append("the printer has no media-col-database: all sizes have the same margins and types")
        let papers = sizes.flatMap { size in
            (types.isEmpty ? [nil] : types.map(Optional.some)).flatMap { type in
                (isBorderless ? [with, .zero] : [with]).map { PrintPaper(media: size, margins: $0, type: type) }
            }
        }
        return Array(papers.filter(isUsable).prefix(Self.mostPapers))
    }

    private func isUsable(_ paper: PrintPaper) -> Bool {
        let (media, margins) = (paper.media, paper.margins)
        let edges = [margins.top, margins.left, margins.bottom, margins.right]
        return Self.sides.contains(media.width.hundredths) && Self.sides.contains(media.height.hundredths)
            && edges.allSatisfy { $0.hundredths <= 10_000 } && margins.left + margins.right < media.width
            && margins.top + margins.bottom < media.height
    }

    /// The function ignores borderless papers.
    private func usualMargins(_ papers: [PrintPaper]) -> Margins {
        var counts: [Margins: Int] = [:]
        for paper in papers where paper.margins != .zero { counts[paper.margins, default: 0] += 1 }
        // If several margins are equally frequent, the first are used.
        let most = counts.values.max()
        return papers.first { counts[$0.margins] == most && most != nil }?.margins ?? .zero
    }

    /// Returns the most frequent list of paper types among the paper sizes.
    ///
    /// The result is empty if a size has no type, because a printer file cannot describe a size without types.
    private func usualTypes(_ lists: [[String?]]) -> [String] {
        var counts: [[String?]: Int] = [:]
        for list in lists { counts[list, default: 0] += 1 }
        let most = counts.values.max()
        let usual = lists.first { counts[$0] == most } ?? []
        return lists.contains { $0.contains(nil) } ? [] : usual.compactMap { $0 }
    }

    /// Returns the elements of the key `media` for a paper size.
    ///
    /// Paper types with equal margins share one element.
    private func values(of size: Sized, usual: Margins, types shared: [String]) -> [FileValue] {
        var groups: [(margins: [Margins], types: [String?])] = []
        for type in size.order {
            let margins = size.types[type] ?? []
            if let place = groups.firstIndex(where: { $0.margins == margins }) {
                groups[place].types.append(type)
            } else {
                groups.append((margins, [type]))
            }
        }
        return groups.flatMap { group in
            let with = group.margins.filter { $0 != .zero }
            let types: [String] = group.types.compactMap { $0 }
            let isBorderless = group.margins.contains(.zero)
            return (with.isEmpty ? [.zero] : with).enumerated().map { index, margins -> FileValue in
                let own: FileValue? = margins == usual ? nil : value(of: margins)
                let borderless: FileValue? = isBorderless && !with.isEmpty && index == 0 ? true : nil
                let ownTypes: FileValue? = types == shared || types.isEmpty ? nil : .texts(types)
                guard own != nil || borderless != nil || ownTypes != nil else { return .text(size.media.word) }
                return .object([
                    "size": .text(size.media.word), "margins": own, "borderless": borderless, "types": ownTypes,
                ])
            }
        }
    }

    private func value(of margins: Margins) -> FileValue {
        if Set([margins.top, margins.left, margins.bottom, margins.right]).count == 1 {
            return .hundredths(margins.top.hundredths)
        }
        return .object([
            "top": .hundredths(margins.top.hundredths), "left": .hundredths(margins.left.hundredths),
            "right": .hundredths(margins.right.hundredths), "bottom": .hundredths(margins.bottom.hundredths),
        ])
    }

    private mutating func defaultMedia(among sizes: [Media]) -> FileValue? {
        let said =
            attributes.string("media-default").flatMap(Media.init(name:))
            ?? attributes.collection("media-col-default").flatMap(Media.init(mediaCol:))
        guard let said else { return nil }
        guard let media = sizes.first(where: { $0 == said }) ?? sizes.first(where: { $0.hasSameSize(as: said) }) else {
            notes.append("media-default: \(said.name) is missing from media-supported")
            return nil
        }
        return .text(media.word)
    }

    private func isRange(_ collection: IPP.Collection) -> Bool {
        collection.collection("media-size")?.members.contains {
            if case .range? = $0.first { true } else { false }
        } ?? false
    }

    private mutating func customMedia(usual: Margins) -> FileValue? {
        guard let range = PrinterCapabilities(attributes: attributes).customMedia else { return nil }
        func value(_ bounds: ClosedRange<Int>) -> FileValue? {
            let clamped = bounds.clamped(to: Self.sides)
            return bounds.overlaps(Self.sides)
                ? .list([.hundredths(clamped.lowerBound), .hundredths(clamped.upperBound)]) : nil
        }
        let ranges = (attributes["media-col-database"]?.values ?? []).compactMap(\.collectionValue).count(
            where: isRange)
        if ranges > 1 { notes.append("\(ranges - 1) more ranges of custom sizes; the clone has one range") }
        guard let width = value(range.width), let height = value(range.height) else {
            notes.append("custom sizes outside the range from 1 mm to 10 m")
            return nil
        }
        let edges = [range.margins.top, range.margins.left, range.margins.bottom, range.margins.right]
        let own = range.margins != usual && edges.allSatisfy { $0.hundredths <= 10_000 }
        return .object(["width": width, "height": height, "margins": own ? self.value(of: range.margins) : nil])
    }
}

extension Media {
    /// The common name of the size, such as `A4`.
    ///
    /// If no common name identifies exactly this size, the value is the PWG name.
    var word: String {
        let size = String(name.split(separator: "_").last ?? "")
        return [localizedName, size].first { Media(named: $0) == self } ?? name
    }
}
