// A ticket meets a printer: who does what.

/// What is done to a job's documents for one printer: each option either in our imposition or by the printer.
public struct PrintPlan: Hashable, Sendable, Codable {
    /// What we do to the pages.
    public var imposition: Imposition
    /// What the printer is asked to do.
    public var device: DeviceOptions
    /// In what form the printer is sent the pages; nil when it takes none that is made here.
    public var delivery: DeliveryFormat?
    /// What was asked for and cannot be done as asked, each with what is done instead.
    public var conflicts: [Conflict]

    /// An option that the printer does not take.
    public struct Conflict: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The IPP name of the option: `sides`, `media`.
        public var option: String
        /// What was asked for, as IPP writes it.
        public var requested: String
        /// What is done instead, in words.
        public var substitute: String
        /// One sentence for people, with what to do next.
        public var description: String
    }
}

extension JobTicket {
    /// The most copies that are laid out for a printer that makes fewer by itself (CUPS' `MaxCopies`).
    public static let mostCopies = 9_999

    /// Splits the ticket between our imposition and the printer.
    ///
    /// What the printer cannot do is done by imposition where that is possible (copies, order); where it is not, the
    /// nearest thing is planned and the difference stands in `conflicts`: a caller who wants exactly what was asked
    /// (IPP `ipp-attribute-fidelity`) refuses a plan that has any.
    ///
    /// - Parameters:
    ///   - name: the name by which conflicts call the printer, that of its queue; nil for its make and model.
    ///   - firstImpression: the side to begin with, over all copies; nil for all of it. From a later side on, all
    ///     copies are laid out here, for a printer would begin every copy with it.
    public func plan(
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
        let duplex = duplex(from: printer, name, &conflicts)
        let color = colorMode(from: printer, name, &conflicts)
        let quality = quality(from: printer, name, &conflicts)
        let trimming = trimming(from: printer, name, &conflicts)
        let resolution = resolution(from: printer, name, &conflicts)
        let copies = copies(from: printer, name, &conflicts)
        let collated = collated ?? true
        // The printer makes the copies when it can make them all in the order asked for.
        let deviceCopies =
            copies == 1
            || firstImpression == nil && copies <= printer.deliveredCopies && (!collated || printer.collates)
        let imposition = Imposition(
            paper: paper, pageRanges: pageRanges ?? .all, pageOrder: pageOrder ?? .normal,
            copies: deviceCopies ? 1 : copies, collated: deviceCopies || collated, numberUp: numberUp ?? .one,
            scaling: scaling ?? (outputType?.isPhoto == true && paper.isBorderless ? .fill : .auto),
            orientation: orientation, duplex: duplex, firstImpression: firstImpression ?? 1)
        var device = DeviceOptions(
            paper: paper, copies: deviceCopies ? copies : 1, collated: !deviceCopies || collated, duplex: duplex,
            colorMode: color, quality: quality, mediaSource: mediaSource,
            // Scaled here, a page must not be scaled once more there.
            scaling: printer.scalings?.contains(.none) == true ? PrintScaling.none : nil,
            trimming: trimming, resolution: resolution)
        let delivery = printer.deliveryFormat(for: device)
        if let dots = delivery?.pixels?.resolution, dots.isSquare, printer.resolutions.contains(dots.feed) {
            device.resolution = dots
        }
        return PrintPlan(imposition: imposition, device: device, delivery: delivery, conflicts: conflicts)
    }

    /// The ticket with what it leaves open taken from another one; what the queue itself heeds is not.
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
            let names = [Self.list(printer.papers.map(\.media.localizedName)), printer.customMedia?.words ?? ""]
                .filter { !$0.isEmpty }.joined(separator: ", or ")
            conflicts.append(
                PrintPlan.Conflict(
                    option: "media", requested: media.name, substitute: substitute.media.name,
                    description: "\(name) has no paper \(media.localizedName) (\(media.name)); "
                        + (names.isEmpty ? "leave the option out" : "choose one of \(names)")))
        }
        return substitute
    }

    /// Of papers of the size wanted, the one of the type wanted; one that says no type can be asked for any.
    private func paper(
        among sameSize: [PrintPaper], _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> PrintPaper {
        func choice(_ papers: [PrintPaper]) -> PrintPaper? {
            PrintPaper.choice(among: papers, for: outputType ?? .general)
        }
        let any = choice(sameSize) ?? sameSize[0]
        guard let mediaType else { return any }
        if let paper = choice(sameSize.filter { $0.type == mediaType }) { return paper }
        if var paper = choice(sameSize.filter { $0.type == nil }) {
            paper.type = mediaType
            return paper
        }
        let types = Self.list(sameSize.compactMap(\.type))
        conflicts.append(
            PrintPlan.Conflict(
                option: "media-type", requested: mediaType, substitute: any.type ?? "",
                description: "\(name) has no \(mediaType) in \(any.media.localizedName); "
                    + "choose one of \(types)"))
        return any
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
                description: "\(wanted) copies are more than \(name) can be given at once; "
                    + "ask for at most \(most)"))
        return most
    }

    private func duplex(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> Duplex {
        // Single images are documents of their own, and each begins on a sheet of its own.
        let isOneSided = printer.deliveredFormat == .jpeg
        let byDefault = isOneSided ? Duplex.none : printer.defaultDuplex
        guard let duplex else { return byDefault }
        // Whatever a printer says or leaves unsaid, it can print on one side.
        if duplex == .none || printer.duplexModes.contains(duplex) && !isOneSided { return duplex }
        conflicts.append(
            PrintPlan.Conflict(
                option: "sides", requested: duplex.rawValue, substitute: byDefault.rawValue,
                description: "\(name) cannot print \(duplex.rawValue); "
                    + "leave the option out, or choose a two-sided printer"))
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
                    + "leave the option out, or choose another printer"))
        return .auto
    }

    private func trimming(
        from printer: PrinterCapabilities, _ name: String, _ conflicts: inout [PrintPlan.Conflict]
    ) -> Trimming? {
        guard let trimming, !printer.trimmings.contains(trimming) else { return trimming }
        // What has no cutter cuts nothing anyway.
        if trimming == .never { return nil }
        conflicts.append(
            PrintPlan.Conflict(
                option: "finishings", requested: trimming.keyword, substitute: printer.defaultTrimming.keyword,
                description:
                    "\(name) cannot \(trimming.keyword.split(separator: "-").joined(separator: " ")); "
                    + "leave the option out, or choose a printer with a cutter"))
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
                substitute: substitute.map { "\($0.rawValue)" } ?? "the printer's own",
                description: "\(name) has no quality '\(quality)'; leave the option out"))
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
                option: "printer-resolution", requested: resolution.description, substitute: "the printer's own",
                description: "\(name) does not print at \(resolution); choose one of \(offered) dpi"))
        return nil
    }

    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        let unique = names.filter { seen.insert($0).inserted }
        return unique.count > 8 ? unique.prefix(8).joined(separator: ", ") + " …" : unique.joined(separator: ", ")
    }
}
