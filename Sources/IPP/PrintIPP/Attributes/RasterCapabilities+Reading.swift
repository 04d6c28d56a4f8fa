// Reads a printer's raster capabilities (PWG 5102.4 §4.1, PWG 5100.13, AirPrint).

package import IPP
package import PrintModel

extension RasterCapabilities {
    static let attributeNames = [
        "pwg-raster-document-resolution-supported", "pwg-raster-document-type-supported",
        "pwg-raster-document-sheet-back", "urf-supported", "jpeg-x-dimension-supported", "jpeg-y-dimension-supported",
        "document-format-preferred", "multiple-document-jobs-supported",
    ]

    /// Invalid values are ignored.
    init(attributes: AttributeGroup) {
        let pwg = PixelSupport(
            resolutions: attributes["pwg-raster-document-resolution-supported"]?.values.prefix(64)
                .compactMap(\.resolutionValue).compactMap(RasterResolution.init(ipp:)).unique ?? [],
            types: attributes["pwg-raster-document-type-supported"].map { _ in
                attributes.keywords("pwg-raster-document-type-supported").compactMap(RasterType.init(rawValue:)).unique
            },
            sheetBack: attributes.string("pwg-raster-document-sheet-back").flatMap(SheetBack.init(rawValue:)) ?? .normal
        )
        func most(_ name: String) -> Int? {
            let limit = attributes[name]?.rangeValue?.upper ?? attributes[name]?.intValue
            return limit.flatMap { $0 > 0 ? Int($0) : nil }
        }
        self.init(
            pwg: pwg, urf: PixelSupport(urf: Array(attributes.strings("urf-supported").prefix(256))),
            largestJPEGWidth: most("jpeg-x-dimension-supported"), largestJPEGHeight: most("jpeg-y-dimension-supported"),
            preferredFormat: attributes.string("document-format-preferred").map(DocumentFormat.init(rawValue:)),
            takesSeveralDocuments: attributes.boolean("multiple-document-jobs-supported") ?? false)
    }
}

extension RasterResolution {
    /// Creates a resolution from an IPP `resolution` value.
    ///
    /// Dots per centimeter are converted to dots per inch, rounded to the nearest whole number.
    ///
    /// Returns `nil` if the resolution is not valid or its unit is unknown.
    init?(ipp value: Resolution) {
        switch value.units {
        case .dotsPerInch: self.init(crossFeed: Int(value.crossFeed), feed: Int(value.feed))
        case .dotsPerCentimeter:
            func inches(_ dots: Int32) -> Int { Int((Double(dots) * 2.54).rounded()) }
            self.init(crossFeed: inches(value.crossFeed), feed: inches(value.feed))
        default: return nil
        }
    }
}

extension PrinterCapabilities {
    /// The attributes about copies, whose values can depend on the document format (RFC 8011 §4.2.5.1).
    package static let copiesAttributeNames = ["copies-supported", "multiple-document-handling-supported"]

    /// Sets the maximum number of copies, and whether the printer collates copies.
    ///
    /// The values come from a printer's attributes for one document format.
    package mutating func takeCopies(from attributes: AttributeGroup) {
        if let copies = attributes["copies-supported"] {
            maxCopies = max(1, Int(copies.rangeValue?.upper ?? copies.intValue ?? 1))
        }
        if attributes["multiple-document-handling-supported"] != nil {
            collates = attributes.keywords("multiple-document-handling-supported")
                .contains("separate-documents-collated-copies")
        }
    }
}
