// What a printer makes of the options it is given.

package import PrintModel

extension SimulatedPrinterDescription {
    /// The options as the printer can meet them, and in words what it does otherwise than asked.
    ///
    /// A client that insists on what it asked for (IPP `ipp-attribute-fidelity`) is refused by the server before.
    package func settle(_ wanted: DeviceOptions) -> (options: DeviceOptions, warnings: [String]) {
        var options = wanted
        var warnings: [String] = []
        if let paper = paper(for: wanted.paper) {
            options.paper = paper
        } else {
            let substitute = paper(for: PrintPaper(media: defaultMedia)) ?? papers[0]
            options.paper = substitute
            warnings.append(
                "no paper \(wanted.paper.media.localizedName) here; \(substitute.media.localizedName) taken instead")
        }
        if !sides.contains(wanted.duplex) {
            options.duplex = sides[0]
            warnings.append("cannot print \(wanted.duplex.rawValue); printed \(sides[0].rawValue) instead")
        }
        options.copies = min(max(1, wanted.copies), maxCopies)
        if wanted.copies > maxCopies {
            warnings.append("cannot make \(wanted.copies) copies; made \(maxCopies) instead")
        }
        if !collates && options.copies > 1 { options.collated = false }
        if !isColor {
            options.colorMode = .monochrome
            if wanted.colorMode == .color { warnings.append("cannot print in color; printed in monochrome instead") }
        }
        if let source = wanted.mediaSource, !trays.contains(where: { $0.name == source }) {
            options.mediaSource = nil
            if source != "auto" { warnings.append("no tray '\(source)' here; taken from any that has the paper") }
        }
        if let scaling = wanted.scaling, !scalings.contains(scaling) { options.scaling = nil }
        if let quality = wanted.quality, !qualities.contains(quality) { options.quality = nil }
        return (options, warnings)
    }

    /// The printer's own paper for the one asked for: of its size, then of its type, then of its margins.
    func paper(for wanted: PrintPaper) -> PrintPaper? {
        let sameSize = papers.filter { $0.media.hasSameSize(as: wanted.media) }
        let sameType = wanted.type.map { type in sameSize.filter { $0.type == type } } ?? []
        let candidates = sameType.isEmpty ? sameSize : sameType
        // Without margins means borderless only to a printer that has such a paper with margins too.
        if let paper = candidates.first(where: { $0.margins == wanted.margins }) ?? candidates.first { return paper }
        guard let customMedia, customMedia.contains(wanted.media) else { return nil }
        return PrintPaper(media: wanted.media, margins: customMedia.margins, type: wanted.type)
    }
}
