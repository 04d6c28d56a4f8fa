// Chooses the booklet, the poster and the texts of a print plan.

extension JobTicket {
    /// The conflict between the options for booklets, posters and several pages on a side; nil if there is no conflict.
    ///
    /// Only one of these layouts takes effect. `option` of the conflict is the name of the option that has no effect.
    package var layoutConflict: PrintPlan.Conflict? {
        var conflicts: [PrintPlan.Conflict] = []
        _ = layout(&conflicts)
        return conflicts.first
    }

    /// Returns the booklet, the poster, and the number of pages on each side.
    ///
    /// At most one of the three layouts takes effect. A booklet takes precedence over a poster, and a poster takes
    /// precedence over `number-up`.
    func layout(
        _ conflicts: inout [PrintPlan.Conflict]
    ) -> (booklet: Booklet?, poster: Poster?, numberUp: NumberUp) {
        func refuse(_ option: String, _ requested: String, _ reason: String) {
            conflicts.append(
                PrintPlan.Conflict(
                    option: option, requested: requested, substitute: "none",
                    description: reason))
        }
        var numberUp = numberUp ?? .one
        let booklet = booklet
        var poster = poster
        poster?.overlap = posterOverlap ?? Poster.defaultOverlap
        if booklet != nil, let other = poster {
            refuse("printq-poster", other.grid, "a booklet cannot be a poster; omit the booklet or the poster")
            poster = nil
        }
        if booklet != nil || poster != nil, numberUp.count > 1 {
            refuse(
                "number-up", "\(numberUp.count)",
                booklet == nil
                    ? "a poster has one page on several sheets, not \(numberUp.count) pages on a side; "
                        + "omit the poster or number-up"
                    : "a booklet has two pages on each side, not \(numberUp.count); omit the booklet or number-up")
            numberUp = NumberUp(count: 1, border: numberUp.border)
        }
        if poster != nil, numberUp.border != .none {
            refuse(
                "page-border", numberUp.border.rawValue,
                "the pages of a poster have no border; omit the poster or page-border")
            numberUp.border = .none
        }
        let layout = booklet != nil ? "a booklet" : poster != nil ? "a poster" : nil
        if let scalePercent, let layout = layout ?? (numberUp.count > 1 ? "number-up" : nil) {
            refuse(
                "scaling", "\(scalePercent)", "scaling in percent and \(layout) exclude each other; omit one of them")
        }
        if let pageSet, let layout {
            refuse("page-set", pageSet.rawValue, "page-set and \(layout) exclude each other; omit one of them")
        }
        return (booklet, poster, numberUp)
    }

    private var booklet: Booklet? {
        guard isBooklet == true else { return nil }
        return Booklet(
            signatureSheets: bookletSignatureSheets ?? 0, binding: bookletBinding ?? .leftEdge,
            sides: bookletSides ?? .both)
    }

    /// The texts that are printed on the pages in addition to the page content; nil for no texts.
    var texts: PageTexts? {
        guard pageNumbers != nil || watermark != nil || pageHeader != nil else { return nil }
        return PageTexts(
            pageNumbers: pageNumbers, pageNumberFormat: pageNumberFormat ?? .number, watermark: watermark,
            watermarkLayer: watermarkLayer ?? .over, header: pageHeader)
    }

    /// Returns the duplex mode for a booklet, regardless of the option `sides`.
    ///
    /// The sheets are folded parallel to their short edge, so the sheets are turned over the short edge.
    func duplex(
        of booklet: Booklet, from printer: PrinterCapabilities, _ name: String,
        _ conflicts: inout [PrintPlan.Conflict]
    ) -> Duplex {
        guard booklet.sides == .both else { return .none }
        if printer.duplexModes.contains(.shortEdge), printer.deliveredFormat != .jpeg { return .shortEdge }
        conflicts.append(
            PrintPlan.Conflict(
                option: "imposition-template", requested: "signature",
                substitute: "fronts and backs on separate sheets",
                description: "\(name) cannot print both sides of a booklet; print the fronts with booklet-sides=front, "
                    + "put the sheets back into the tray, and print the backs with booklet-sides=back"))
        return .none
    }
}
