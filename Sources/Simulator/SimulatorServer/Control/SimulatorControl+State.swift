// Describes a simulated printer for programs that show its controls.

import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

extension SimulatedPrinter {
    /// The collection attributes in the response to `controlPrinter`.
    ///
    /// The collections `printq-tray-col`, `printq-supply-col` and `printq-fault-col` describe the current trays,
    /// supplies and faults. `printq-fault-names`, `printq-media-supported`, `printq-media-type-supported` and
    /// `printq-roll-widths` list the values that commands accept.
    var controlAttributes: [Attribute] {
        let status = status
        return [
            Attribute("printq-power", .boolean(!isSwitchedOff)),
            Attribute("printq-speed", .text(description.speed.word)),
            Attribute("pages-per-minute", .integer(Int32(clamping: description.pagesPerMinute))),
        ]
            + Self.attribute("printq-tray-col", status.trays.map { .collection($0.collection) })
            + Self.attribute("printq-supply-col", status.supplies.map { .collection($0.collection) })
            + Self.attribute("printq-fault-col", faultReports.map { .collection($0.collection) })
            + [Attribute("printq-fault-names", Fault.names.map { .collection($0.collection) })]
            + description.loadablePaper
    }

    private static func attribute(_ name: String, _ values: [Value]) -> [Attribute] {
        values.isEmpty ? [] : [Attribute(name, values)]
    }
}

extension SimulatedPrinterDescription {
    /// The attributes that describe the paper that can be loaded: sizes, roll widths and types.
    ///
    /// The attributes also contain the default paper and the margins of the default paper.
    fileprivate var loadablePaper: [Attribute] {
        var sizes: [Media] = []
        for media in papers.map(\.media) where !sizes.contains(where: media.hasSameSize) { sizes.append(media) }
        let types = papers.compactMap(\.type).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let widths = Set(sizes.map(\.width.hundredths)).sorted()
        let paper = papers.first { $0.media.hasSameSize(as: defaultMedia) } ?? PrintPaper(media: defaultMedia)
        var attributes = [
            Attribute("printq-media-supported", sizes.map { .keyword($0.name) }),
            Attribute("media-default", .keyword(paper.media.name)),
            Attribute("media-top-margin", .integer(Int32(clamping: paper.margins.top.hundredths))),
            Attribute("media-left-margin", .integer(Int32(clamping: paper.margins.left.hundredths))),
            Attribute("media-bottom-margin", .integer(Int32(clamping: paper.margins.bottom.hundredths))),
            Attribute("media-right-margin", .integer(Int32(clamping: paper.margins.right.hundredths))),
        ]
        if !types.isEmpty {
            attributes.append(Attribute("printq-media-type-supported", types.map { .keyword($0) }))
        }
        if trays.contains(where: { $0.rollWidth != nil }) {
            attributes.append(Attribute("printq-roll-widths", widths.map { .integer(Int32(clamping: $0)) }))
        }
        return attributes
    }
}

extension SimulatedPrinterDescription.Tray {
    /// The tray as an IPP collection.
    ///
    /// The member `media` is missing if the tray supplies every size or contains a roll. `media-type` is missing if the
    /// tray supplies every type. `media-level` is missing if the tray never runs empty. `media-width` is the width of a
    /// roll in hundredths of a millimeter. The level and capacity of a roll are lengths in millimeters.
    fileprivate var collection: Collection {
        var members = [
            Attribute("tray-name", .name(name)), Attribute("media-capacity", .integer(Int32(clamping: capacity))),
        ]
        if let rollWidth {
            members.append(Attribute("media-width", .integer(Int32(clamping: rollWidth.hundredths))))
        } else if let media {
            members.append(Attribute("media", .keyword(media.name)))
        }
        if let type { members.append(Attribute("media-type", .keyword(type))) }
        if let loaded { members.append(Attribute("media-level", .integer(Int32(clamping: loaded)))) }
        return Collection(members)
    }
}

extension SimulatedPrinterDescription.Supply {
    /// The supply as an IPP collection, with the CUPS names `marker-*`.
    fileprivate var collection: Collection {
        Collection([
            Attribute("marker-name", .name(name)), Attribute("marker-type", .keyword(type)),
            Attribute("marker-color", .name(markerColor)), Attribute("marker-level", .integer(percent)),
        ])
    }
}

extension FaultReport {
    fileprivate var collection: Collection {
        var members = [
            Attribute("fault", .text(fault.description)), Attribute("fault-name", .keyword(fault.name)),
            Attribute("fault-active", .boolean(isActive)),
        ]
        let times = [("fault-started-at", startedAt), ("fault-ends-at", endsAt), ("fault-starts-at", startsAt)]
        for case (let name, let time?) in times {
            members.append(Attribute(name, .dateTime(DateTime(of: time))))
        }
        return Collection(members)
    }
}

extension DateTime {
    /// Creates an IPP date from a time.
    ///
    /// A time that is not a number results in 1970.
    init(of time: UnixTime) { self.init(unixTime: Int(time.isFinite ? min(max(time, 0), 4e9) : 0)) }
}

extension FaultName {
    fileprivate var collection: Collection {
        var members = [
            Attribute("fault-name", .keyword(name)), Attribute("fault-label", .text(label)),
            Attribute("fault-group", .keyword(group.rawValue)),
        ]
        if let argument { members.append(Attribute("fault-argument", .text(argument))) }
        return Collection(members)
    }
}

extension PrintSpeed {
    /// The speed as text: `instant`, or a factor such as `10`.
    fileprivate var word: String {
        switch self {
        case .instant: "instant"
        case .times(let factor): factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        }
    }
}
