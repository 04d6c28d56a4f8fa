// Matches the requested options with the printer's capabilities.

package import PrintModel

extension SimulatedPrinterDescription {
    /// Returns the options that the printer uses, and the differences from the requested options.
    ///
    /// The server has already refused jobs that require unsupported options (IPP `ipp-attribute-fidelity`).
    package func settle(_ wanted: DeviceOptions) -> (options: DeviceOptions, substitutions: [JobSubstitution]) {
        var options = wanted
        var substitutions: [JobSubstitution] = []
        func warn(_ attribute: String, _ message: String) {
            substitutions.append(JobSubstitution(attribute: attribute, message: message))
        }
        if let paper = paper(for: wanted.paper) {
            options.paper = paper
            if wanted.paper.isBorderless, !paper.isBorderless {
                warn("media", "cannot print \(paper.media.localizedName) without margins; printed with margins instead")
            }
        } else {
            let substitute = paper(for: PrintPaper(media: defaultMedia)) ?? papers[0]
            options.paper = substitute
            warn(
                "media",
                "no paper \(wanted.paper.media.localizedName); used \(substitute.media.localizedName) instead")
        }
        if !sides.contains(wanted.duplex) {
            options.duplex = sides[0]
            warn("sides", "cannot print \(wanted.duplex.rawValue); printed \(sides[0].rawValue) instead")
        }
        options.copies = min(max(1, wanted.copies), maxCopies)
        if wanted.copies > maxCopies {
            warn("copies", "cannot make \(wanted.copies) copies; made \(maxCopies) instead")
        }
        if !collates && options.copies > 1 { options.collated = false }
        if !isColor {
            options.colorMode = .monochrome
            if wanted.colorMode == .color {
                warn("print-color-mode", "cannot print in color; printed in monochrome instead")
            }
        }
        if let source = wanted.mediaSource, !trays.contains(where: { $0.name == source }) {
            options.mediaSource = nil
            if source != "auto" {
                warn("media-source", "no tray '\(source)'; selected a tray with the requested paper instead")
            }
        }
        if let scaling = wanted.scaling, !scalings.contains(scaling) { options.scaling = nil }
        if let quality = wanted.quality, !qualities.contains(quality) { options.quality = nil }
        return (options, substitutions)
    }

    /// Returns the printer's paper that best matches the requested paper: by size, then by type, then by margins.
    ///
    /// The result is nil if the printer does not support the size.
    func paper(for wanted: PrintPaper) -> PrintPaper? {
        let sameSize = papers.filter { $0.media.hasSameSize(as: wanted.media) }
        let sameType = wanted.type.map { type in sameSize.filter { $0.type == type } } ?? []
        let candidates = sameType.isEmpty ? sameSize : sameType
        // Zero margins mean borderless only if the printer has the same paper with margins too.
        if let paper = candidates.first(where: { $0.margins == wanted.margins }) ?? candidates.first { return paper }
        guard let customMedia, customMedia.contains(wanted.media) else { return nil }
        return PrintPaper(media: wanted.media, margins: customMedia.margins, type: wanted.type)
    }
}

/// A difference between an option that a job requests and the option that the printer uses.
package struct JobSubstitution: Hashable, Sendable {
    /// The name of the IPP attribute in the request.
    ///
    /// For `media-col`, the name is `media`.
    package var attribute: String
    package var message: String

    package init(attribute: String, message: String) {
        self.attribute = attribute
        self.message = message
    }
}

extension [JobSubstitution] {
    /// Returns these substitutions, followed by the substitutions in `others`.
    ///
    /// If both lists have a substitution for the same attribute, the result contains only the substitution in this
    /// list.
    func joined(with others: [JobSubstitution]) -> [JobSubstitution] {
        let known = Set(map(\.attribute))
        return self + others.filter { !known.contains($0.attribute) }
    }
}
