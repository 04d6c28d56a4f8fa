// What a printer says of the documents of pixels that it takes.

package import IPP
package import PrintModel

/// What a printer takes of PWG raster, Apple raster and JPEG images, as it tells clients (PWG 5102.4 §4.1, PWG 5100.13
/// §5.6, AirPrint).
package struct AcceptedPixels: Sendable {
    /// The formats that it takes, others among them.
    package var formats: [DocumentFormat]
    /// Its resolutions in dots per inch, the default first.
    package var resolutions: [Int]
    /// What a pixel may be, as PWG names it: `srgb_8`.
    package var types: [String]
    /// How the backs of two-sided sheets must come; nil when it prints on one side only.
    package var sheetBack: SheetBack?
    /// The most copies that it makes of such a document by itself.
    package var maxCopies: Int
    /// How well it can print.
    package var qualities: [PrintQuality]
    /// The largest file of a JPEG image, in kilobytes, and the longest side of the image in pixels; nil when it does not say.
    package var largestJPEG: (kilobytes: Int, side: Int)?

    /// What a printer takes.
    package init(
        formats: [DocumentFormat], resolutions: [Int], types: [String], sheetBack: SheetBack?, maxCopies: Int,
        qualities: [PrintQuality], largestJPEG: (kilobytes: Int, side: Int)? = nil
    ) {
        self.formats = formats
        self.resolutions = resolutions
        self.types = types
        self.sheetBack = sheetBack
        self.maxCopies = maxCopies
        self.qualities = qualities
        self.largestJPEG = largestJPEG
    }

    /// The attributes of the formats that it takes.
    package var attributes: [Attribute] {
        var attributes: [Attribute] = []
        if formats.contains(.pwgRaster) {
            let dots = resolutions.map { Int32(clamping: $0) }
            attributes += [
                Attribute(
                    "pwg-raster-document-resolution-supported",
                    dots.map { .resolution(Resolution(crossFeed: $0, feed: $0)) }),
                Attribute("pwg-raster-document-type-supported", types.map { .keyword($0) }),
                Attribute("pwg-raster-document-sheet-back", .keyword((sheetBack ?? .normal).rawValue)),
            ]
        }
        if formats.contains(.urf) { attributes.append(Attribute("urf-supported", urfKeywords.map { .keyword($0) })) }
        if formats.contains(.jpeg), let largestJPEG {
            let side = Int32(clamping: largestJPEG.side)
            attributes += [
                Attribute(
                    "jpeg-k-octets-supported",
                    .range(IntegerRange(lower: 0, upper: Int32(clamping: largestJPEG.kilobytes)))),
                Attribute("jpeg-x-dimension-supported", .range(IntegerRange(lower: 0, upper: side))),
                Attribute("jpeg-y-dimension-supported", .range(IntegerRange(lower: 1, upper: side))),
                Attribute("jpeg-features-supported", .keyword("cmyk"), .keyword("progressive")),
            ]
        }
        return attributes
    }

    /// What AirPrint clients go by: version, colors, resolutions, how backs are turned, the most copies, qualities.
    package var urfKeywords: [String] {
        let words = ["sgray_8": "W8", "srgb_8": "SRGB24", "cmyk_8": "DEVCMYK32"]
        let backs: [SheetBack: String] = [.normal: "DM1", .flipped: "DM2", .rotated: "DM3", .manualTumble: "DM4"]
        return ["V1.4"] + types.compactMap { words[$0] }
            + ["RS\(resolutions.sorted().map(String.init).joined(separator: "-"))"]
            + (sheetBack.map { [backs[$0] ?? "DM1"] } ?? []) + ["CP\(max(1, maxCopies))"]
            + ["PQ\(qualities.map { String($0.rawValue) }.sorted().joined(separator: "-"))"]
    }

    /// The IEEE 1284 device id of a printer that takes these formats: maker, model, languages.
    ///
    /// - Parameter own: The device id that the printer itself gives; its maker and model are taken, its languages are not.
    package func deviceID(makeAndModel: String, own: String? = nil) -> String {
        let words = makeAndModel.split(separator: " ", maxSplits: 1).map { $0.filter { !":;".contains($0) } }
        let (maker, model) = (words.first ?? "Unknown", words.last ?? "Unknown")
        let languages: [DocumentFormat: String] = [
            .pdf: "PDF", .jpeg: "JPEG", .pwgRaster: "PWGRaster", .urf: "URF",
        ]
        func said(_ names: String...) -> String? {
            own?.split(separator: ";").lazy.map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
                .first { $0.count == 2 && names.contains($0[0].uppercased()) }?[1]
        }
        return "MFG:\(said("MFG", "MANUFACTURER") ?? maker);MDL:\(said("MDL", "MODEL") ?? model);"
            + "CMD:\(formats.compactMap { languages[$0] }.joined(separator: ","));CLS:PRINTER;"
    }
}
