// Which paper a job is printed on, and how it is cut.

import FoundationEssentials

extension PrintInteractionController {
    /// The paper: chosen in the options, by the delegate, or for output type, locale and printer, in this order.
    ///
    /// On a roll the delegate says how long it is.
    func choosePaper(for options: PrinterOptions) throws(PrintError) -> PrintPaper {
        let capabilities = options.printer.capabilities
        let papers = capabilities?.papers ?? []
        let paper =
            options.paper ?? delegate?.printInteractionController(self, choosePaper: papers)
            ?? PrintPaper.defaultPaper(
                for: printInfo.outputType, region: PrintPaper.currentRegion, from: papers)
        guard let capabilities, let range = capabilities.customMedia, capabilities.isFromRoll(paper),
            let length = delegate?.printInteractionController(self, cutLengthFor: paper)
        else { return paper }
        return try paper.cut(to: length, within: range)
    }

    /// When a roll is cut; the printer's default for paper that is not from a roll.
    func chooseCutter(for printer: Printer, on paper: PrintPaper) -> CutterBehavior {
        guard printer.capabilities?.isFromRoll(paper) == true else { return .printerDefault }
        return delegate?.printInteractionController(self, chooseCutterBehavior: CutterBehavior.allCases)
            ?? .printerDefault
    }
}

extension PrintPaper {
    /// A piece of a roll: as wide as the paper, and so long, at least the shortest piece that the printer can cut.
    ///
    /// - Throws: `jobFailed` when it would be longer than the printer can cut, or the length is no length.
    func cut(to length: Double, within range: PrinterCapabilities.MediaRange) throws(PrintError) -> PrintPaper {
        let longest = Length(hundredths: range.height.upperBound).points
        guard length > 0, length <= longest + 0.01 else {
            throw PrintError(
                .jobFailed,
                "a piece of \(rounded(length)) points cannot be cut from the roll; give a cutLength above 0 and up to"
                    + " \(rounded(longest)) points")
        }
        // Rounded up, so that what was measured in points finds room.
        let hundredths = Int((length * 2540 / 72 - 0.001).rounded(.up))
        let height = min(max(hundredths, range.height.lowerBound), range.height.upperBound)
        var piece = self
        piece.media = .of(width: media.width, height: Length(hundredths: height))
        return piece
    }
}
