// Ink and toner as printer attributes, in the forms of PWG 5100.13 and CUPS (`marker-*`).

package import IPP
package import PrintModel

extension PrinterStatus.Supply {
    static let attributeNames = [
        "printer-supply", "printer-supply-description", "marker-names", "marker-types", "marker-colors",
        "marker-levels", "marker-low-levels", "marker-high-levels",
    ]

    /// The maximum number of supplies of a printer.
    ///
    /// Additional supplies are ignored.
    private static let most = 64

    /// Returns the supplies in a printer's attributes.
    ///
    /// CUPS printers report only `marker-*` attributes.
    static func all(in attributes: AttributeGroup) -> [PrinterStatus.Supply] {
        let markers = markers(in: attributes)
        let words = attributes.strings("printer-supply-description")
        let values = (attributes["printer-supply"]?.values ?? []).prefix(most).compactMap { value -> String? in
            guard case .octetString(let bytes) = value else { return nil }
            return String(decoding: bytes, as: UTF8.self).prefixOfUTF8(1023)
        }
        guard !values.isEmpty else { return markers }
        return values.enumerated().map { index, value in
            let name = index < words.count ? words[index].prefixOfUTF8(127) : ""
            var supply = PrinterStatus.Supply(value: value, name: name)
            if markers.count == values.count {
                supply = markers[index]
                supply.value = value
                if !name.isEmpty { supply.name = name }
            }
            return supply
        }
    }

    private static func markers(in attributes: AttributeGroup) -> [PrinterStatus.Supply] {
        func number(_ name: String, _ index: Int) -> Int? {
            guard let values = attributes[name]?.values, index < values.count else { return nil }
            return values[index].intValue.flatMap { (0...100).contains($0) ? Int($0) : nil }
        }
        func word(_ name: String, _ index: Int) -> String? {
            guard let values = attributes[name]?.values, index < values.count else { return nil }
            return values[index].stringValue?.prefixOfUTF8(127)
        }
        return attributes.strings("marker-names").prefix(most).enumerated().map { index, name in
            PrinterStatus.Supply(
                name: name.prefixOfUTF8(127), type: keyword(word("marker-types", index) ?? ""),
                color: word("marker-colors", index) ?? "none", level: number("marker-levels", index),
                lowLevel: number("marker-low-levels", index) ?? 10,
                highLevel: number("marker-high-levels", index) ?? 100)
        }
    }

    /// Creates a supply from a value of `printer-supply`:
    /// `index=1;class=supplyThatIsConsumed;type=toner;unit=percent;maxcapacity=100;level=50;colorantname=black;`.
    private init(value: String, name: String) {
        var words: [String: String] = [:]
        for part in value.split(separator: ";").prefix(Self.most) {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { words[String(pair[0])] = String(pair[1]) }
        }
        let level = words["level"].flatMap { Int32($0) } ?? -2
        let capacity = words["maxcapacity"].flatMap { Int32($0) } ?? -2
        self.init(
            name: name.isEmpty ? words["colorantname"] ?? "Supply" : name,
            type: Self.keyword(words["type"] ?? "other"), color: Self.colorCode(words["colorantname"] ?? ""),
            level: level >= 0 && capacity > 0 && level <= capacity ? Int(level) * 100 / Int(capacity) : nil,
            value: value)
    }

    /// Returns the IPP keyword for a type of RFC 3805: `ink-cartridge` for `inkCartridge`.
    private static func keyword(_ type: String) -> String {
        let keyword = type.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
        let known = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        return keyword.allSatisfy(known.contains) && !keyword.isEmpty && keyword.utf8.count <= 64 ? keyword : "other"
    }

    /// Returns the RFC 3805 type for an IPP keyword.
    private static func type(_ keyword: String) -> String {
        let words = keyword.split(separator: "-")
        return words.enumerated().map {
            $0.offset == 0 ? "\($0.element)" : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
        }.joined()
    }

    /// Returns the color of a colorant for CUPS clients (`marker-colors`): `#00FFFF` for `cyan`, and `none` if the
    /// colorant is unknown.
    package static func colorCode(_ colorant: String) -> String { colors[colorant] ?? "none" }

    private static let colors = [
        "black": "#000000", "cyan": "#00FFFF", "magenta": "#FF00FF", "yellow": "#FFFF00", "red": "#FF0000",
        "green": "#00FF00", "blue": "#0000FF", "gray": "#808080", "light-cyan": "#80FFFF", "light-magenta": "#FF80FF",
    ]

    /// Returns the supply as a value of `printer-supply` (PWG 5100.13 §5.6.7).
    ///
    /// The argument `index` counts from 0. The field `index` of the value counts from 1.
    ///
    /// The level -2 means unknown (RFC 3805).
    private func value(at index: Int) -> String {
        guard value.isEmpty else { return value }
        let colorant = Self.colors.first { $0.value == color.uppercased() }?.key ?? "none"
        let isWaste = type.hasPrefix("waste")
        return "index=\(index + 1);class=\(isWaste ? "receptacleThatIsFilled" : "supplyThatIsConsumed");"
            + "type=\(Self.type(type));unit=percent;maxcapacity=100;level=\(level ?? -2);colorantname=\(colorant);"
    }

    /// Returns supplies as printer attributes.
    ///
    /// PWG 5100.14 requires `printer-supply` for every printer. If the printer reports no supplies, the result contains
    /// one supply of an unknown type and no `marker-*` attributes.
    package static func attributes(_ supplies: [PrinterStatus.Supply]) -> [Attribute] {
        guard !supplies.isEmpty else {
            let unknown = "index=1;class=other;type=other;unit=percent;maxcapacity=-2;level=-2;colorantname=none;"
            return [
                Attribute("printer-supply", .octetString(Array(unknown.utf8))),
                Attribute("printer-supply-description", .text("Supplies unknown")),
            ]
        }
        return [
            Attribute(
                "printer-supply",
                supplies.enumerated().map { .octetString(Array($0.element.value(at: $0.offset).utf8)) }),
            Attribute("printer-supply-description", supplies.map { .text($0.name) }),
            Attribute("marker-names", supplies.map { .name($0.name) }),
            Attribute("marker-types", supplies.map { .keyword($0.type) }),
            Attribute("marker-colors", supplies.map { .name($0.color) }),
            Attribute("marker-levels", supplies.map { .integer(Int32(clamping: $0.level ?? -2)) }),
            Attribute("marker-low-levels", supplies.map { .integer(Int32(clamping: $0.lowLevel)) }),
            Attribute("marker-high-levels", supplies.map { .integer(Int32(clamping: $0.highLevel)) }),
        ]
    }
}
