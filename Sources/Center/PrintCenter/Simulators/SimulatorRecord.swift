// The controls of a simulated printer as JSON.

import IPP
import PrintModel
import SpoolerClient

/// The settings and states that a user can control on a simulated printer, as JSON.
///
/// The values come from the response to `controlPrinter`.
struct SimulatorRecord: Sendable {
    private let group: AttributeGroup

    /// Creates the record from the printer attributes of a response.
    init(_ group: AttributeGroup) { self.group = group }

    /// The settings and states of the simulated printer as JSON.
    var json: JSONText {
        .object([
            ("power", .bool(group.boolean("printq-power") ?? true)), ("speed", speed),
            ("state", .string("\(state ?? .idle)")),
            ("reasons", .strings(group.keywords("printer-state-reasons").filter { $0 != "none" })),
            ("message", .string(group.string("printer-state-message") ?? "")),
            ("pages-per-minute", group.integer("pages-per-minute").map { .number(Int($0)) } ?? .null),
            ("trays", .array(collections("printq-tray-col").map(Self.tray))),
            ("supplies", .array(collections("printq-supply-col").map(Self.supply))),
            ("faults", .array(collections("printq-fault-col").map(Self.fault))),
            ("fault-names", .array(collections("printq-fault-names").map(Self.faultName))),
            ("media", .array(group.keywords("printq-media-supported").map(Self.media))),
            ("types", .strings(group.keywords("printq-media-type-supported"))),
            ("roll-widths", .array(rollWidths)), ("paper", paper), ("margins", margins.json),
            ("printable-area", printableArea),
        ])
    }

    private var state: PrinterState? { group.integer("printer-state").flatMap { PrinterState(rawValue: Int($0)) } }

    /// The speed of the simulated printer as a factor; null for a printer that prints without delay.
    private var speed: JSONText {
        guard let factor = group.string("printq-speed").flatMap(Double.init) else { return .null }
        return factor == factor.rounded() ? .number(Int(factor)) : .decimal(factor)
    }

    private func collections(_ name: String) -> [IPP.Collection] {
        group[name]?.values.compactMap(\.collectionValue) ?? []
    }

    private static func tray(_ tray: IPP.Collection) -> JSONText {
        let media = tray.string("media").flatMap(Media.init(name:))
        let roll = tray.integer("media-width")
        let level = tray.integer("media-level").map { JSONText.number(Int($0)) } ?? .null
        let capacity = tray.integer("media-capacity").map { JSONText.number(Int($0)) } ?? .null
        let isRoll = roll != nil
        return .object([
            ("name", .string(tray.string("tray-name") ?? "")),
            ("media", media.map { .string($0.localizedName) } ?? .null),
            ("media-name", media.map { .string($0.name) } ?? .null),
            ("type", tray.string("media-type").map { .string($0) } ?? .null),
            ("sheets", isRoll ? .null : level), ("capacity", capacity),
            ("any-size", .bool(media == nil && !isRoll)), ("endless", .bool(tray.integer("media-level") == nil)),
            ("length", isRoll ? level : .null),
            ("width", roll.map { .decimal(Double($0) / 100) } ?? .null),
        ])
    }

    private static func supply(_ supply: IPP.Collection) -> JSONText {
        .object([
            ("name", .string(supply.string("marker-name") ?? "")),
            ("level", supply.integer("marker-level").map { .number(Int($0)) } ?? .null),
            ("color", .string(supply.string("marker-color") ?? "none")),
            ("type", .string(supply.string("marker-type") ?? "other")),
        ])
    }

    private static func fault(_ fault: IPP.Collection) -> JSONText {
        .object([
            ("text", .string(fault.string("fault") ?? "")), ("name", .string(fault.string("fault-name") ?? "")),
            ("active", .bool(fault["fault-active"]?.boolValue ?? false)),
            ("since", time(fault, "fault-started-at")), ("until", time(fault, "fault-ends-at")),
            ("from", time(fault, "fault-starts-at")),
        ])
    }

    private static func faultName(_ name: IPP.Collection) -> JSONText {
        .object([
            ("name", .string(name.string("fault-name") ?? "")), ("label", .string(name.string("fault-label") ?? "")),
            ("group", .string(name.string("fault-group") ?? "stop")),
            ("argument", name.string("fault-argument").map { .string($0) } ?? .null),
        ])
    }

    private static func media(_ name: String) -> JSONText {
        .object([("name", .string(name)), ("label", .string(Media(name: name)?.localizedName ?? name))])
    }

    static func time(_ collection: IPP.Collection, _ name: String) -> JSONText {
        guard let time = collection[name]?.dateTimeValue?.unixTime else { return .null }
        return .string(LocalTime.universal(UnixTime(time)))
    }

    /// The widths of the paper rolls that can be loaded, in millimeters.
    private var rollWidths: [JSONText] {
        group["printq-roll-widths"]?.values.compactMap(\.intValue).map { .decimal(Double($0) / 100) } ?? []
    }

    // MARK: - Paper

    private var defaultMedia: Media { group.string("media-default").flatMap(Media.init(name:)) ?? .a4 }

    private var margins: Margins {
        func length(_ name: String) -> Length { Length(hundredths: max(0, Int(group.integer(name) ?? 0))) }
        return Margins(
            top: length("media-top-margin"), left: length("media-left-margin"), bottom: length("media-bottom-margin"),
            right: length("media-right-margin"))
    }

    private var paper: JSONText {
        .object([
            ("name", .string(defaultMedia.name)), ("label", .string(defaultMedia.localizedName)),
            ("width", .points(defaultMedia.width)), ("height", .points(defaultMedia.height)),
        ])
    }

    /// The printable area of the default paper, in points.
    ///
    /// The origin is the upper left corner of the paper.
    private var printableArea: JSONText {
        let (media, margins) = (defaultMedia, margins)
        func rest(_ length: Length, _ a: Length, _ b: Length) -> Length {
            Length(hundredths: max(0, length.hundredths - a.hundredths - b.hundredths))
        }
        return .object([
            ("x", .points(margins.left)), ("y", .points(margins.top)),
            ("width", .points(rest(media.width, margins.left, margins.right))),
            ("height", .points(rest(media.height, margins.top, margins.bottom))),
        ])
    }
}
