// Divides a job's options between imposition and the printer.

/// The division of a job's options between printq and a printer.
///
/// Each option is applied either by the imposition, which lays out the pages on sheets, or by the printer.
public struct PrintPlan: Hashable, Sendable, Codable {
    package var imposition: Imposition
    package var device: DeviceOptions
    /// The format in which printq sends the pages; nil when the printer supports no format that printq can make.
    package var delivery: DeliveryFormat?
    /// The requested options that cannot be applied, each with a substitute value.
    package var conflicts: [Conflict]

    /// A requested option that cannot be applied.
    public struct Conflict: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The IPP name of the option: `sides`, `media`.
        package var option: String
        /// The requested value, in IPP's notation.
        package var requested: String
        /// The substitute value, as text for users.
        package var substitute: String
        /// The message for users about the conflict, in one sentence with a suggestion.
        public var description: String
    }
}

extension JobTicket {
    /// The maximum number of copies of a job (CUPS' `MaxCopies`).
    ///
    /// If the printer supports more copies, the limit of the printer applies.
    ///
    /// printq makes the copies that the printer does not make.
    package static let mostCopies = 9_999

    /// Divides the options of the ticket between the imposition and the printer.
    ///
    /// If the printer does not support an option, the imposition applies the option where possible (copies, order).
    /// Otherwise the plan has the nearest supported value, and `conflicts` lists the difference. A caller that requires
    /// fidelity (IPP `ipp-attribute-fidelity`) rejects a plan with conflicts.
    ///
    /// - Parameters:
    ///   - name: The name of the printer in the messages about conflicts; nil means the printer's make and model.
    ///   - firstImpression: The first side to print, counted from 1 over all copies; nil means the whole job. If the
    ///     value is not nil, the imposition makes the copies. If the printer made the copies, every copy would begin
    ///     with this side.
    package func plan(
        for printer: PrinterCapabilities, named name: String? = nil, from firstImpression: Int? = nil
    ) -> PrintPlan {
        if let presets = printer.presets {
            var printer = printer
            printer.presets = nil
            return completed(by: presets).plan(for: printer, named: name, from: firstImpression)
        }
        let name = name ?? printer.makeAndModel
        var conflicts: [PrintPlan.Conflict] = []
        let paper = paper(from: printer, name, &conflicts)
        let (booklet, poster, numberUp) = layout(&conflicts)
        let isPlain = booklet == nil && poster == nil
        let duplex = duplex(from: printer, name, booklet: booklet, isPoster: poster != nil, &conflicts)
        let color = colorMode(from: printer, name, &conflicts)
        let quality = quality(from: printer, name, &conflicts)
        let trimming = trimming(from: printer, name, &conflicts)
        let resolution = resolution(from: printer, name, &conflicts)
        let copies = copies(from: printer, name, &conflicts)
        let source = source(from: printer, name, &conflicts)
        let bin = outputBin(of: printer, name, &conflicts)
        let covers = coverSheets(on: printer, name, &conflicts)
        let collated = collated ?? true
        // The printer makes the copies if it can make all of them in the requested order. It would copy cover sheets.
        let deviceCopies =
            copies == 1
            || firstImpression == nil && covers == nil && copies <= printer.deliveredCopies
                && (!collated || printer.collates)
        var imposition = Imposition(
            paper: paper, pageRanges: pageRanges ?? .all, pageOrder: pageOrder ?? .normal,
            copies: deviceCopies ? 1 : copies, collated: deviceCopies || collated, numberUp: numberUp,
            scaling: scaling ?? (outputType?.isPhoto == true && paper.isBorderless ? .fill : .auto),
            orientation: orientation, duplex: duplex, firstImpression: firstImpression ?? 1,
            documentJoining: documentJoining, booklet: booklet, poster: poster, texts: texts)
        imposition.scalePercent = isPlain && numberUp.count == 1 ? scalePercent : nil
        imposition.pageSet = isPlain ? pageSet : nil
        imposition.isMirrored = isMirrored
        imposition.coverSheets = covers
        // A chosen size, orientation or scaling applies to long pages too.
        let hasOwnLayout = booklet != nil || poster != nil || numberUp.count > 1 || imposition.scalePercent != nil
        if media == nil, orientation == nil, [.auto, .none].contains(imposition.scaling), !hasOwnLayout,
            printer.isFromRoll(paper)
        {
            imposition.roll = printer.customMedia
        }
        var device = DeviceOptions(
            paper: paper, copies: deviceCopies ? copies : 1, collated: !deviceCopies || collated, duplex: duplex,
            colorMode: color, quality: quality, mediaSource: source,
            // Imposition has scaled the page; the printer must not scale it again.
            scaling: printer.scalings?.contains(.none) == true ? PrintScaling.none : nil,
            trimming: trimming, resolution: resolution)
        device.outputBin = bin
        let delivery = printer.deliveryFormat(for: device)
        if let dots = delivery?.pixels?.resolution, dots.isSquare, printer.resolutions.contains(dots.feed) {
            device.resolution = dots
        }
        return PrintPlan(imposition: imposition, device: device, delivery: delivery, conflicts: conflicts)
    }

    /// Returns a copy of the ticket in which missing options have the values of `presets`.
    ///
    /// The method does not change options that the queue applies.
    func completed(by presets: JobTicket) -> JobTicket {
        var ticket = self
        for option in PrintOption.all where option.consumer != .queue && option.value(in: self) == nil {
            guard let value = option.value(in: presets) else { continue }
            try? option.write(&ticket, value, 0)
        }
        return ticket
    }

    private func paper(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> PrintPaper {
        let wanted = media ?? printer.defaultMedia
        let sameSize = printer.papers.filter { $0.media.hasSameSize(as: wanted) }
        if !sameSize.isEmpty { return paper(among: sameSize, name, &conflicts) }
        if let range = printer.customMedia, range.contains(wanted) {
            return PrintPaper(media: wanted, margins: range.margins, type: mediaType)
        }
        let substitute =
            PrintPaper.bestPaper(forPageSize: wanted.size, from: printer.papers)
            ?? PrintPaper(media: printer.defaultMedia, type: mediaType)
        if let media, !media.hasSameSize(as: substitute.media) {
            let names = [Self.list(printer.papers.map(\.media.localizedName)), printer.customMedia?.text ?? ""]
                .filter { !$0.isEmpty }.joined(separator: ", or ")
            conflicts.append(
                PrintPlan.Conflict(
                    option: "media", requested: media.name, substitute: substitute.media.name,
                    description: "\(name) has no paper \(media.localizedName) (\(media.name)); "
                        + (names.isEmpty ? "omit the option" : "choose one of \(names)")))
        }
        return substitute
    }

    /// Paper without a type matches any type.
    private func paper(
        among sameSize: [PrintPaper], _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> PrintPaper {
        func choice(_ papers: [PrintPaper]) -> PrintPaper? {
            isBorderless == true
                ? papers.first(where: \.isBorderless) ?? papers.first
                : PrintPaper.choice(among: papers, for: outputType ?? .general)
        }
        let any = choice(sameSize) ?? sameSize[0]
        if isBorderless == true, !any.isBorderless {
            conflicts.append(
                PrintPlan.Conflict(
                    option: "media", requested: any.media.name, substitute: any.media.name,
                    description: "\(name) cannot print on \(any.media.localizedName) without margins"))
        }
        guard var mediaType else { return any }
        mediaType = sameSize.compactMap(\.type).name(meantBy: mediaType) ?? mediaType
        if let paper = choice(sameSize.filter { $0.type == mediaType }) { return paper }
        if var paper = choice(sameSize.filter { $0.type == nil }) {
            paper.type = mediaType
            return paper
        }
        let types = Self.list(sameSize.compactMap(\.type))
        conflicts.append(
            PrintPlan.Conflict(
                option: "media-type", requested: mediaType, substitute: any.type ?? "",
                description: "\(name) has no paper of type \(mediaType) in \(any.media.localizedName); "
                    + "choose one of \(types)"))
        return any
    }

    private func source(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> String? {
        guard let mediaSource, mediaSource != "auto", let known = printer.mediaSources else { return mediaSource }
        if let source = known.name(meantBy: mediaSource) { return source }
        conflicts.append(
            PrintPlan.Conflict(
                option: "media-source", requested: mediaSource, substitute: "auto",
                description: "\(name) has no tray '\(mediaSource)'; "
                    + (known.isEmpty ? "omit the option" : "choose one of \(Self.list(known))")))
        return nil
    }

    private func outputBin(
        of printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> String? {
        guard let outputBin else { return nil }
        if let bin = printer.outputBins.name(meantBy: outputBin) { return bin }
        conflicts.append(
            PrintPlan.Conflict(
                option: "output-bin", requested: outputBin, substitute: "auto",
                description: "\(name) has no output bin '\(outputBin)'; "
                    + (printer.outputBins.isEmpty
                        ? "omit the option" : "choose one of \(Self.list(printer.outputBins))")))
        return nil
    }

    private func coverSheets(
        on printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> CoverSheets? {
        guard let coverSheets, coverSheets.count > 0 else { return nil }
        // Each image is a separate document.
        guard printer.deliveredFormat == .jpeg else { return coverSheets }
        conflicts.append(
            PrintPlan.Conflict(
                option: "job-sheets", requested: coverSheets.text, substitute: "none",
                description: "\(name) accepts only one image per job, and prints no cover sheets; omit the option"))
        return nil
    }

    private func copies(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> Int {
        let wanted = max(1, copies ?? 1)
        let most = max(Self.mostCopies, printer.maxCopies)
        if wanted <= most { return wanted }
        conflicts.append(
            PrintPlan.Conflict(
                option: "copies", requested: "\(wanted)", substitute: "\(most)",
                description: "\(name) accepts at most \(most) copies per job, not \(wanted)"))
        return most
    }

    private func duplex(
        from printer: PrinterCapabilities, _ name: String, booklet: Booklet?, isPoster: Bool,
        _ conflicts: inout [PrintPlan.Conflict]
    ) -> Duplex {
        if isPoster { return .none }
        if let booklet { return duplex(of: booklet, from: printer, name, &conflicts) }
        // Each image is a separate document and starts on a new sheet.
        let isOneSided = printer.deliveredFormat == .jpeg
        let byDefault = isOneSided ? Duplex.none : printer.defaultDuplex
        guard let duplex else { return byDefault }
        // Every printer can print on one side, regardless of the modes that it reports.
        if duplex == .none || printer.duplexModes.contains(duplex) && !isOneSided { return duplex }
        conflicts.append(
            PrintPlan.Conflict(
                option: "sides", requested: duplex.rawValue, substitute: byDefault.rawValue,
                description: "\(name) cannot print \(duplex.rawValue); "
                    + "omit the option, or choose a printer that prints on both sides"))
        return byDefault
    }

    private func colorMode(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> ColorMode {
        let wanted = colorMode ?? outputType?.colorMode ?? .auto
        if wanted == .auto || printer.colorModes.contains(wanted) { return wanted }
        conflicts.append(
            PrintPlan.Conflict(
                option: "print-color-mode", requested: wanted.rawValue, substitute: ColorMode.auto.rawValue,
                description: "\(name) cannot print in \(wanted.rawValue); "
                    + "omit the option, or choose another printer"))
        return .auto
    }

    private func trimming(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> Trimming? {
        guard let trimming, !printer.trimmings.contains(trimming) else { return trimming }
        // A printer without a cutter never cuts.
        if trimming == .never { return nil }
        conflicts.append(
            PrintPlan.Conflict(
                option: "finishings", requested: trimming.keyword, substitute: printer.defaultTrimming.keyword,
                description:
                    "\(name) cannot \(trimming.keyword.split(separator: "-").joined(separator: " ")); "
                    + "omit the option, or choose a printer with a cutter"))
        return nil
    }

    private func quality(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> PrintQuality? {
        guard let quality else {
            return outputType?.isPhoto == true && printer.qualities.contains(.high) ? .high : nil
        }
        if printer.qualities.contains(quality) { return quality }
        let substitute = printer.qualities.contains(.normal) ? PrintQuality.normal : nil
        conflicts.append(
            PrintPlan.Conflict(
                option: "print-quality", requested: "\(quality.rawValue)",
                substitute: substitute.map { "\($0.rawValue)" } ?? "the printer's default",
                description: "\(name) does not support the quality '\(quality)'; omit the option"))
        return substitute
    }

    private func resolution(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> RasterResolution? {
        guard let resolution else { return nil }
        if resolution.isSquare, printer.offeredResolutions.contains(resolution.feed) { return resolution }
        let offered = printer.offeredResolutions.map { "\($0)" }.joined(separator: ", ")
        conflicts.append(
            PrintPlan.Conflict(
                option: "printer-resolution", requested: resolution.description, substitute: "the printer's default",
                description: "\(name) does not print at \(resolution); choose one of \(offered) dpi"))
        return nil
    }

    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        let unique = names.filter { seen.insert($0).inserted }
        return unique.count > 8 ? unique.prefix(8).joined(separator: ", ") + " …" : unique.joined(separator: ", ")
    }
}
