// What a printer makes of the options it is given.

package import PrintModel

extension SimulatedPrinterDescription {
    /// The options as the printer can meet them, and in words what it does otherwise than asked.
    ///
    /// A client that insists on what it asked for (IPP `ipp-attribute-fidelity`) is refused by the server before.
    package func settle(_ wanted: DeviceOptions) -> (options: DeviceOptions, substitutions: [JobSubstitution]) {
        var options = wanted
        var substitutions: [JobSubstitution] = []
        func warn(_ attribute: String, _ words: String) {
            substitutions.append(JobSubstitution(attribute: attribute, words: words))
        }
        if let paper = paper(for: wanted.paper) {
            options.paper = paper
            if wanted.paper.isBorderless, !paper.isBorderless {
                warn("media", "cannot print \(paper.media.localizedName) without margins; printed with them instead")
            }
        } else {
            let substitute = paper(for: PrintPaper(media: defaultMedia)) ?? papers[0]
            options.paper = substitute
            warn(
                "media",
                "no paper \(wanted.paper.media.localizedName) here; \(substitute.media.localizedName) taken instead")
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
            if source != "auto" { warn("media-source", "no tray '\(source)' here; taken from any that has the paper") }
        }
        if let scaling = wanted.scaling, !scalings.contains(scaling) { options.scaling = nil }
        if let quality = wanted.quality, !qualities.contains(quality) { options.quality = nil }
        return (options, substitutions)
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

/// Something of a job that is not done as it was asked for.
package struct JobSubstitution: Hashable, Sendable {
    /// The IPP attribute that asked for it; `media` also for what `media-col` asked for.
    package var attribute: String
    /// What is done instead, in words.
    package var words: String

    /// A substitution.
    package init(attribute: String, words: String) {
        self.attribute = attribute
        self.words = words
    }
}

extension [JobSubstitution] {
    /// These, and of others those about attributes that these say nothing of.
    func joined(with others: [JobSubstitution]) -> [JobSubstitution] {
        let known = Set(map(\.attribute))
        return self + others.filter { !known.contains($0.attribute) }
    }
}
