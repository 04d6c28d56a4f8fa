// A ticket meets a printer: who does what.

/// What is done to a job's documents for one printer: each option either in our imposition or by the printer.
public struct PrintPlan: Hashable, Sendable, Codable {
    /// What we do to the pages.
    public var imposition: Imposition
    /// What the printer is asked to do.
    public var device: DeviceOptions
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
    /// Splits the ticket between our imposition and the printer.
    ///
    /// What the printer cannot do is done by imposition where that is possible (copies, order); where it is not, the
    /// nearest thing is planned and the difference stands in `conflicts`: a caller who wants exactly what was asked
    /// (IPP `ipp-attribute-fidelity`) refuses a plan that has any.
    public func plan(for printer: PrinterCapabilities) -> PrintPlan {
        var conflicts: [PrintPlan.Conflict] = []
        let paper = paper(from: printer, &conflicts)
        let duplex = duplex(from: printer, &conflicts)
        let color = colorMode(from: printer, &conflicts)
        let quality = quality(from: printer, &conflicts)
        let copies = max(1, copies ?? 1)
        let collated = collated ?? true
        // The printer makes the copies when it can make them all in the order asked for.
        let deviceCopies = copies <= printer.maxCopies && (!collated || printer.collates || copies == 1)
        let imposition = Imposition(
            paper: paper, pageRanges: pageRanges ?? .all, pageOrder: pageOrder ?? .normal,
            copies: deviceCopies ? 1 : copies, collated: collated, numberUp: numberUp ?? .one,
            scaling: scaling ?? (outputType?.isPhoto == true && paper.isBorderless ? .fill : .auto),
            orientation: orientation, duplex: duplex)
        let device = DeviceOptions(
            paper: paper, copies: deviceCopies ? copies : 1, collated: collated, duplex: duplex, colorMode: color,
            quality: quality)
        return PrintPlan(imposition: imposition, device: device, conflicts: conflicts)
    }

    private func paper(from printer: PrinterCapabilities, _ conflicts: inout [PrintPlan.Conflict]) -> PrintPaper {
        let wanted = media ?? printer.defaultMedia
        let sameSize = printer.papers.filter { $0.media.hasSameSize(as: wanted) }
        let candidates = mediaType.map { type in sameSize.filter { $0.type == type } }.flatMap { $0.isEmpty ? nil : $0 }
        if let paper = PrintPaper.choice(among: candidates ?? sameSize, for: outputType ?? .general) { return paper }
        if let range = printer.customMedia, range.contains(wanted) {
            return PrintPaper(media: wanted, margins: range.margins, type: mediaType)
        }
        let substitute =
            PrintPaper.bestPaper(forPageSize: wanted.size, from: printer.papers)
            ?? PrintPaper(media: printer.defaultMedia)
        let names = Self.list(printer.papers.map(\.media.localizedName))
        conflicts.append(
            PrintPlan.Conflict(
                option: "media", requested: wanted.name, substitute: substitute.media.name,
                description: "\(printer.makeAndModel) has no paper \(wanted.localizedName) (\(wanted.name)); "
                    + "choose one of \(names)"))
        return substitute
    }

    private func duplex(from printer: PrinterCapabilities, _ conflicts: inout [PrintPlan.Conflict]) -> Duplex {
        guard let duplex else { return printer.defaultDuplex }
        if printer.duplexModes.contains(duplex) { return duplex }
        conflicts.append(
            PrintPlan.Conflict(
                option: "sides", requested: duplex.rawValue, substitute: printer.defaultDuplex.rawValue,
                description: "\(printer.makeAndModel) cannot print \(duplex.rawValue); "
                    + "leave the option out, or choose a two-sided printer"))
        return printer.defaultDuplex
    }

    private func colorMode(from printer: PrinterCapabilities, _ conflicts: inout [PrintPlan.Conflict]) -> ColorMode {
        let wanted = colorMode ?? outputType?.colorMode ?? .auto
        if wanted == .auto || printer.colorModes.contains(wanted) { return wanted }
        conflicts.append(
            PrintPlan.Conflict(
                option: "print-color-mode", requested: wanted.rawValue, substitute: ColorMode.auto.rawValue,
                description: "\(printer.makeAndModel) cannot print in \(wanted.rawValue); "
                    + "leave the option out, or choose another printer"))
        return .auto
    }

    private func quality(from printer: PrinterCapabilities, _ conflicts: inout [PrintPlan.Conflict]) -> PrintQuality? {
        guard let quality else {
            return outputType?.isPhoto == true && printer.qualities.contains(.high) ? .high : nil
        }
        if printer.qualities.contains(quality) { return quality }
        conflicts.append(
            PrintPlan.Conflict(
                option: "print-quality", requested: "\(quality.rawValue)",
                substitute: "\(PrintQuality.normal.rawValue)",
                description: "\(printer.makeAndModel) has no quality '\(quality)'; leave the option out"))
        return nil
    }

    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        let unique = names.filter { seen.insert($0).inserted }
        return unique.count > 8 ? unique.prefix(8).joined(separator: ", ") + " …" : unique.joined(separator: ", ")
    }
}
