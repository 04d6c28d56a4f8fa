// The raster and image formats that a printer accepts, as printer attributes.

package import IPP
package import PrintModel

/// The properties of the PWG raster, Apple raster and JPEG documents that a printer accepts (PWG 5102.4 §4.1, PWG
/// 5100.13 §5.6, AirPrint).
package struct RasterSupport: Sendable {
    /// The list can include formats other than raster and JPEG.
    package var formats: [DocumentFormat]
    /// The supported resolutions in dots per inch, the default first.
    package var resolutions: [Int]
    /// The supported pixel types with their PWG names, such as `srgb_8`.
    package var types: [String]
    /// The required orientation of the back sides of two-sided sheets, or `nil` if the printer prints on one side
    /// only.
    package var sheetBack: SheetBack?
    /// The maximum number of copies that the printer makes of a raster or JPEG document.
    package var maxCopies: Int
    package var qualities: [PrintQuality]
    /// The maximum size of a JPEG file in kilobytes, and the maximum length of the longer side of its image in pixels;
    /// `nil` if unknown.
    package var largestJPEG: (kilobytes: Int, side: Int)?

    package init(
        formats: [DocumentFormat], resolutions: [Int], types: [String], sheetBack: SheetBack?, maxCopies: Int,
        qualities: [PrintQuality], largestJPEG: (kilobytes: Int, side: Int)? = nil
    ) {
        (self.formats, self.resolutions, self.types, self.sheetBack) = (formats, resolutions, types, sheetBack)
        (self.maxCopies, self.qualities, self.largestJPEG) = (maxCopies, qualities, largestJPEG)
    }

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

    /// The `urf-supported` keywords for AirPrint: version, colors, resolutions, back side orientation, copies and
    /// qualities.
    package var urfKeywords: [String] {
        let words = ["sgray_8": "W8", "srgb_8": "SRGB24", "cmyk_8": "DEVCMYK32"]
        let backs: [SheetBack: String] = [.normal: "DM1", .flipped: "DM2", .rotated: "DM3", .manualTumble: "DM4"]
        return ["V1.4"] + types.compactMap { words[$0] }
            + ["RS\(resolutions.sorted().map(String.init).joined(separator: "-"))"]
            + (sheetBack.map { [backs[$0] ?? "DM1"] } ?? []) + ["CP\(max(1, maxCopies))"]
            + ["PQ\(qualities.map { String($0.rawValue) }.sorted().joined(separator: "-"))"]
    }

    /// Returns the IEEE 1284 device ID of a printer that accepts the document formats in `formats`: maker, model and
    /// languages.
    ///
    /// - Parameters:
    ///   - own: The device ID that the printer reports. The result contains the maker, model and serial number of
    ///     `own`, but not its languages.
    ///   - serial: The serial number of a printer that reports no serial number; nil if unknown.
    package func deviceID(makeAndModel: String, own: String? = nil, serial: String? = nil) -> String {
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
            + ((said("SN", "SERN", "SERIALNUMBER") ?? serial).map { "SN:\($0);" } ?? "")
    }
}
