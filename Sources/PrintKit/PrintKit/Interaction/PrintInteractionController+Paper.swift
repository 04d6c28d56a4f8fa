// Chooses the paper of a job, and the points at which a paper roll is cut.

import FoundationEssentials

extension PrintInteractionController {
    /// Returns the paper for a job.
    ///
    /// The first available paper of this list applies: the paper that the person has chosen in the options; the paper
    /// that the delegate chooses; the default paper for the output type, the locale and the printer.
    ///
    /// For paper from a roll, the delegate chooses the length.
    func choosePaper(for options: PrinterOptions) throws(PrintError) -> PrintPaper {
        let capabilities = options.printer.capabilities
        let papers = capabilities?.papers ?? []
        let paper =
            options.paper ?? delegate?.printInteractionController(self, choosePaper: papers)
            ?? defaultPaper(from: papers)
        guard let capabilities, let range = capabilities.customMedia, capabilities.isFromRoll(paper), let delegate
        else { return paper }
        let length = cutLength(for: paper, from: delegate)
        return length == paper.paperSize.height ? paper : try paper.cut(to: length, within: range)
    }

    private func cutLength(for paper: PrintPaper, from delegate: some PrintInteractionControllerDelegate) -> Double {
        Double(delegate.printInteractionController(self, cutLengthFor: paper))
    }

    /// Returns the paper for the output type of the job and the locale.
    ///
    /// The controller uses this paper if neither the person nor the delegate chooses a paper.
    ///
    /// - Parameter papers: The papers of the printer; empty for the standard sizes.
    public func defaultPaper(from papers: [PrintPaper]) -> PrintPaper {
        PrintPaper.defaultPaper(for: printInfo.outputType, region: PrintPaper.currentRegion, from: papers)
    }

    /// Returns the setting that determines when the printer cuts the paper roll.
    ///
    /// For paper that is not from a roll, the result is the printer's default.
    func chooseCutter(for printer: Printer, on paper: PrintPaper) -> CutterBehavior {
        guard printer.capabilities?.isFromRoll(paper) == true else { return .printerDefault }
        return delegate?.printInteractionController(self, chooseCutterBehavior: CutterBehavior.allCases as [Any])
            ?? .printerDefault
    }
}

extension PrintPaper {
    /// Returns a piece of the roll with a given length in points.
    ///
    /// The piece is at least as long as the shortest piece that the printer can cut.
    ///
    /// - Throws: `jobFailed` when the length is not positive, or when the printer cannot cut a piece of this length.
    func cut(to length: Double, within range: PrinterCapabilities.MediaRange) throws(PrintError) -> PrintPaper {
        let longest = Length(hundredths: range.height.upperBound).points
        guard length > 0, length <= longest + 0.01 else {
            throw PrintError(
                .jobFailed,
                "cannot cut a piece of \(rounded(length)) points from the roll; return a length above 0 and up to"
                    + " \(rounded(longest)) points")
        }
        // Rounded up, so that content measured in points fits.
        let hundredths = Int((length * 2540 / 72 - 0.001).rounded(.up))
        let height = min(max(hundredths, range.height.lowerBound), range.height.upperBound)
        var piece = self
        piece.media = .of(width: media.width, height: Length(hundredths: height))
        return piece
    }
}
