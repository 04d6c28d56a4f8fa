// Lists the standard media with their common names.

extension Media {
    /// ISO A4, 210 × 297 mm.
    public static let a4 = table["iso_a4_210x297mm"]!
    /// ISO A5, 148 × 210 mm.
    public static let a5 = table["iso_a5_148x210mm"]!
    /// ISO A6, 105 × 148 mm.
    public static let a6 = table["iso_a6_105x148mm"]!
    /// ISO A3, 297 × 420 mm.
    public static let a3 = table["iso_a3_297x420mm"]!
    /// US Letter, 8.5 × 11 inches.
    public static let letter = table["na_letter_8.5x11in"]!
    /// US Legal, 8.5 × 14 inches.
    public static let legal = table["na_legal_8.5x14in"]!
    /// The photo size 4 × 6 inches (the index card of PWG 5101.1).
    public static let photo4x6 = table["na_index-4x6_4x6in"]!

    /// The standard media with common names (PWG 5101.1 §5.2).
    ///
    /// If two media have the same size, the more common medium comes first.
    public static let standard: [Media] = rows.map(\.media)

    /// Returns the standard medium of this size, with a tolerance of 0.5 mm.
    ///
    /// If two media have this size, the function returns the more common medium.
    public static func standard(width: Length, height: Length) -> Media? {
        let wanted = Media(uncheckedName: "", width: width, height: height)
        return standard.first { $0.hasSameSize(as: wanted) }
    }

    /// Creates a medium from user input; nil for input that describes no medium.
    ///
    /// The input is a self-describing name, a common name (`A4`, `letter`, `4x6`), a size (`100x62mm`, `4x6in`), a name
    /// of RFC 8011 (`iso-a4`), a name of a PPD file (`EnvDL`, `w288h432` in points, `A4.Fullbleed`), or CUPS'
    /// `Custom.WIDTHxHEIGHTunit`.
    public init?(named text: String) {
        let lower = text.lowercased()
        if let media = Media(name: lower) {
            self = Self.table[lower] ?? media
        } else if let media = Self.ofCommonName(lower) {
            self = media
        } else {
            // `localizedName` of a custom size is accepted as well: `62 × 100 mm`.
            let plain = Self.withoutVariant(lower.replacing("×", with: "x").filter { $0 != " " })
            let custom = "custom."
            guard
                let parsed = plain.hasPrefix(custom)
                    ? Media.parseCustomSize(plain.dropFirst(custom.count))
                    : Media.parseSize(Substring(plain)) ?? Media.parsePoints(plain)
            else { return nil }
            self = Media.of(width: parsed.width, height: parsed.height)
        }
    }

    /// Returns whether a name of a PPD file means paper without margins, such as `A4.Fullbleed`.
    package static func isBorderless(named text: String) -> Bool {
        borderlessVariants.contains { text.lowercased().hasSuffix($0) }
    }

    private static let borderlessVariants = [".fullbleed", ".borderless", ".fb"]

    /// Returns a name of a PPD file without its variant, such as `a4` for `a4.fullbleed`.
    private static func withoutVariant(_ lower: String) -> String {
        guard let variant = (borderlessVariants + [".duplex"]).first(where: lower.hasSuffix) else { return lower }
        return String(lower.dropLast(variant.count))
    }

    /// Returns the standard medium with a common name, a name of RFC 8011, or a name of a PPD file.
    private static func ofCommonName(_ lower: String) -> Media? {
        let name = folded(withoutVariant(lower))
        if let media = byFoldedName[name] { return media }
        if name.hasPrefix("env") { return byFoldedName[String(name.dropFirst(3))] }
        let suffix = ["envelope", "small"].first(where: name.hasSuffix)
        return suffix.flatMap { byFoldedName[String(name.dropLast($0.count))] }
    }

    /// Returns a name without the characters in which the notations of names differ.
    private static func folded(_ name: String) -> String { name.filter { !" -_/".contains($0) } }

    /// The common name, such as `A4` or `Letter`.
    ///
    /// If the medium has no common name, the value is the size, such as `62 × 100 mm`.
    public var localizedName: String {
        if let alias = Self.aliasByName[name] { return alias }
        func number(_ length: Length) -> String {
            let tenths = (length.hundredths + 5) / 10
            return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        }
        return "\(number(width)) × \(number(height)) mm"
    }

    /// The common names of this medium, starting with `localizedName`; empty for a medium without a common name.
    ///
    ///     Media.letter.commonNames       // ["Letter", "na-letter"]
    public var commonNames: [String] { Self.aliasesByName[name] ?? [] }

    /// The common names of all standard media.
    public static let commonNames: [String] = rows.flatMap(\.aliases)

    private static let aliasesByName = Dictionary(uniqueKeysWithValues: rows.map { ($0.media.name, $0.aliases) })
    private static let table = Dictionary(uniqueKeysWithValues: standard.map { ($0.name, $0) })
    /// The media by their aliases, their PWG names without the size (`isoa4`, `a4`), and their other names in PPD files.
    private static let byFoldedName: [String: Media] = {
        let aliases = rows.flatMap { row in row.aliases.map { (folded($0.lowercased()), row.media) } }
        let names = rows.flatMap { row in
            let parts = row.media.name.split(separator: "_").dropLast().map { folded(String($0)) }
            return [(parts.joined(), row.media), (parts.dropFirst().joined(), row.media)]
        }
        let others = [
            "enva2": "na_a2_4.375x5.75in", "env9": "na_number-9_3.875x8.875in", "env11": "na_number-11_4.5x10.375in",
            "env12": "na_number-12_4.75x11in", "env14": "na_number-14_5x11.5in", "envc65": "iso_c6c5_114x229mm",
            "isodesignatedlong": "iso_dl_110x220mm", "doublepostcard": "jpn_oufuku_148x200mm",
            "tabloidextra": "na_arch-b_12x18in", "quarto": "na_quarto_8.5x10.83in",
            "fanfoldgermanlegal": "na_foolscap_8.5x13in",
        ].compactMap { name, media in Media(name: media).map { (name, table[media] ?? $0) } }
        return Dictionary(others + aliases + names, uniquingKeysWith: { first, _ in first })
    }()
    private static let aliasByName = Dictionary(
        uniqueKeysWithValues: rows.compactMap { row in row.aliases.first.map { (row.media.name, $0) } })

    private static let rows: [(media: Media, aliases: [String])] = {
        let names: [(String, [String])] = [
            ("iso_a4_210x297mm", ["A4"]), ("na_letter_8.5x11in", ["Letter", "na-letter"]),
            ("na_legal_8.5x14in", ["Legal", "na-legal"]), ("iso_a3_297x420mm", ["A3"]),
            ("iso_a5_148x210mm", ["A5"]), ("iso_a6_105x148mm", ["A6"]), ("iso_a7_74x105mm", ["A7"]),
            ("iso_a8_52x74mm", ["A8"]), ("iso_a9_37x52mm", ["A9"]), ("iso_a10_26x37mm", ["A10"]),
            ("iso_a2_420x594mm", ["A2"]), ("iso_a1_594x841mm", ["A1"]), ("iso_a0_841x1189mm", ["A0"]),
            ("iso_2a0_1189x1682mm", ["2A0"]), ("iso_a3-extra_322x445mm", ["A3 Extra"]),
            ("iso_a4-extra_235.5x322.3mm", ["A4 Extra"]), ("iso_a4-tab_225x297mm", ["A4 Tab"]),
            ("iso_a5-extra_174x235mm", ["A5 Extra"]), ("iso_ra4_215x305mm", ["RA4"]),
            ("iso_sra4_225x320mm", ["SRA4"]), ("iso_sra3_320x450mm", ["SRA3"]),
            ("iso_b0_1000x1414mm", ["ISO B0"]), ("iso_b1_707x1000mm", ["ISO B1"]), ("iso_b2_500x707mm", ["ISO B2"]),
            ("iso_b3_353x500mm", ["ISO B3"]), ("iso_b4_250x353mm", ["ISO B4", "B4"]),
            ("iso_b5_176x250mm", ["ISO B5", "B5"]), ("iso_b6_125x176mm", ["ISO B6", "B6"]),
            ("iso_b7_88x125mm", ["ISO B7"]), ("iso_b8_62x88mm", ["ISO B8"]), ("iso_c3_324x458mm", ["C3"]),
            ("iso_c4_229x324mm", ["C4"]), ("iso_c5_162x229mm", ["C5"]), ("iso_c6_114x162mm", ["C6"]),
            ("iso_c6c5_114x229mm", ["C6/C5"]), ("iso_c7_81x114mm", ["C7"]), ("iso_dl_110x220mm", ["DL"]),
            ("iso_id-1_53.98x85.6mm", ["ID-1"]), ("jis_b0_1030x1456mm", ["JIS B0"]), ("jis_b1_728x1030mm", ["JIS B1"]),
            ("jis_b2_515x728mm", ["JIS B2"]), ("jis_b3_364x515mm", ["JIS B3"]), ("jis_b4_257x364mm", ["JIS B4"]),
            ("jis_b5_182x257mm", ["JIS B5"]), ("jis_b6_128x182mm", ["JIS B6"]), ("jis_b7_91x128mm", ["JIS B7"]),
            ("na_foolscap_8.5x13in", ["Foolscap"]), ("jis_exec_216x330mm", ["JIS Exec"]),
            ("jpn_hagaki_100x148mm", ["Hagaki", "Postcard"]),
            ("jpn_oufuku_148x200mm", ["Oufuku"]), ("jpn_chou3_120x235mm", ["Chou 3"]),
            ("jpn_chou4_90x205mm", ["Chou 4"]), ("jpn_you4_105x235mm", ["You 4"]), ("jpn_kaku2_240x332mm", ["Kaku 2"]),
            ("na_5x7_5x7in", ["5x7"]), ("jpn_photo-2l_127x177.8mm", ["2L"]), ("oe_photo-l_3.5x5in", ["L", "3.5x5"]),
            ("na_index-4x6_4x6in", ["4x6", "Photo 4x6"]), ("na_index-3x5_3x5in", ["3x5"]),
            ("na_index-5x8_5x8in", ["5x8"]), ("na_govt-letter_8x10in", ["8x10"]), ("na_govt-legal_8x13in", ["8x13"]),
            ("na_executive_7.25x10.5in", ["Executive"]), ("na_invoice_5.5x8.5in", ["Statement", "Invoice"]),
            ("na_ledger_11x17in", ["Tabloid", "Ledger"]), ("na_super-b_13x19in", ["Super B"]),
            ("na_oficio_8.5x13.4in", ["Oficio"]),
            ("na_10x14_10x14in", ["10x14"]),
            ("na_arch-a_9x12in", ["Arch A"]), ("na_arch-b_12x18in", ["Arch B"]), ("na_c_17x22in", ["ANSI C"]),
            ("na_d_22x34in", ["ANSI D"]), ("na_e_34x44in", ["ANSI E"]),
            ("na_number-10_4.125x9.5in", ["Env10", "Number 10"]),
            ("na_number-9_3.875x8.875in", ["Number 9"]), ("na_monarch_3.875x7.5in", ["Monarch"]),
            ("na_personal_3.625x6.5in", ["Personal"]), ("na_a2_4.375x5.75in", ["Envelope A2"]),
            ("om_folio_210x330mm", ["Folio"]), ("om_small-photo_100x150mm", ["10x15"]),
            ("om_wide-photo_100x200mm", ["10x20"]), ("om_invite_220x220mm", ["Invite"]),
            ("om_italian_110x230mm", ["Italian"]), ("prc_16k_146x215mm", ["16K"]), ("prc_32k_97x151mm", ["32K"]),
            ("roc_8k_10.75x15.5in", ["ROC 8K"]), ("roc_16k_7.75x10.75in", ["ROC 16K"]),
        ]
        return names.compactMap { name, aliases in Media(name: name).map { ($0, aliases) } }
    }()
}
