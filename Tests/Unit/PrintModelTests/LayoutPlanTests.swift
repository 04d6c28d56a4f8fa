import PrintModel
import Testing

struct LayoutPlanTests {
    private func printer(_ duplexModes: [Duplex] = Duplex.allCases) -> PrinterCapabilities {
        PrinterCapabilities(
            makeAndModel: "Test 1", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, duplexModes: duplexModes,
            colorModes: ColorMode.allCases, qualities: PrintQuality.allCases, formats: [.pdf], maxCopies: 99,
            collates: true)
    }

    private func ticket(_ options: (String, String)...) throws -> JobTicket {
        var ticket = JobTicket()
        for (name, value) in options { try ticket.set(name, to: value, at: 0) }
        return ticket
    }

    @Test func `a booklet is printed with sides=two-sided-short-edge, regardless of the requested sides`() throws {
        for sides in ["one-sided", "two-sided-long-edge", "two-sided-short-edge"] {
            let plan = try ticket(
                ("booklet", ""), ("booklet-signature-size", "4"), ("booklet-binding", "right"), ("sides", sides)
            ).plan(for: printer())
            #expect(plan.imposition.booklet == Booklet(signatureSheets: 4, binding: .rightEdge))
            #expect((plan.imposition.duplex, plan.device.duplex) == (.shortEdge, .shortEdge))
            #expect(plan.imposition.pagesPerSide == 2)
            #expect(plan.conflicts.isEmpty)
        }
        #expect(try ticket(("booklet", "none")) == JobTicket())
    }

    @Test func `a booklet on a one-sided printer causes a conflict unless only fronts or only backs are printed`()
        throws
    {
        let plan = try ticket(("booklet", "")).plan(for: printer([.none]), named: "office")
        #expect(plan.imposition.duplex == .none)
        #expect(plan.conflicts.map(\.option) == ["imposition-template"])
        #expect(
            plan.conflicts.first?.description
                == "office cannot print both sides of a booklet; print the fronts with booklet-sides=front, put the "
                + "sheets back into the tray, and print the backs with booklet-sides=back")
        for sides in ["front", "back"] {
            let half = try ticket(("booklet", ""), ("booklet-sides", sides)).plan(for: printer())
            #expect(half.device.duplex == .none)
            #expect(half.conflicts.isEmpty)
        }
    }

    @Test func `imposition splits a page into the sheets of a poster, and a poster is printed one-sided`() throws {
        let plan = try ticket(("poster", "3x2"), ("sides", "two-sided-long-edge")).plan(for: printer())
        #expect(plan.imposition.poster == Poster(columns: 3, rows: 2, overlap: .millimeters(10)))
        #expect((plan.imposition.duplex, plan.device.duplex) == (.none, .none))
        #expect(plan.imposition.sidesPerPage == 6)
        let wide = try ticket(("poster", "2x2"), ("poster-overlap", "0.5in")).plan(for: printer())
        #expect(wide.imposition.poster?.overlap == .inches(0.5))
    }

    @Test(arguments: [
        ([("booklet", ""), ("poster", "2x2")], "printq-poster"), ([("booklet", ""), ("number-up", "4")], "number-up"),
        ([("poster", "2x2"), ("number-up", "2")], "number-up"),
        ([("poster", "2x2"), ("page-border", "single")], "page-border"),
        ([("poster", "2x2"), ("scaling", "80")], "scaling"),
        ([("booklet", ""), ("page-set", "odd")], "page-set"),
    ])
    func `mutually exclusive layout options cause a conflict`(options: [(String, String)], option: String) throws {
        var ticket = JobTicket()
        for (name, value) in options { try ticket.set(name, to: value, at: 0) }
        #expect(ticket.layoutConflict?.option == option)
        let plan = ticket.plan(for: printer())
        #expect(plan.conflicts.map(\.option) == [option])
        #expect(plan.imposition.numberUp == .one)
        #expect(plan.imposition.booklet == nil || plan.imposition.poster == nil)
    }

    @Test func `scaling in percent does not apply to several pages on a side`() throws {
        let plan = try ticket(("number-up", "2"), ("scaling", "80")).plan(for: printer())
        #expect(plan.conflicts.map(\.option) == ["scaling"] && plan.imposition.scalePercent == nil)
        #expect(try ticket(("scaling", "80%")).plan(for: printer()).imposition.scalePercent == 80)
    }

    @Test func `a booklet with a page border and number-up 1 causes no conflict`() throws {
        let booklet = try ticket(("booklet", ""), ("page-border", "double"), ("number-up", "1"))
        #expect(booklet.layoutConflict == nil)
        #expect(booklet.plan(for: printer()).imposition.numberUp.border == .double)
    }

    @Test func `imposition draws headers and page numbers, and joins documents`() throws {
        let plan = try ticket(
            ("page-numbers", ""), ("page-number-format", "n of m"), ("watermark", " Top \t secret\n"),
            ("watermark-layer", "under"), ("page-header", "{title}"),
            ("multiple-document-handling", "single-document")
        ).plan(for: printer())
        #expect(
            plan.imposition.texts
                == PageTexts(
                    pageNumbers: .bottomCenter, pageNumberFormat: .numberOfTotal, watermark: "Top secret",
                    watermarkLayer: .under, header: "{title}"))
        #expect(plan.imposition.documentJoining == .sameSide)
        #expect(try ticket(("watermark-layer", "under")).plan(for: printer()).imposition.texts == nil)
    }

    @Test(arguments: [
        ("poster", "1x1"), ("poster", "2"), ("poster-overlap", "10cm"), ("poster-overlap", "-1mm"),
        ("poster-overlap", "nan"), ("booklet", "maybe"), ("booklet-signature-size", "-1"), ("page-border", "triple"),
        ("page-numbers", "middle"), ("page-number-format", "m"), ("watermark-layer", "beside"),
        ("watermark", String(repeating: "x", count: 256)), ("multiple-document-handling", "single"),
    ])
    func `an invalid value of a layout option causes an error`(option: String, value: String) {
        #expect(throws: OptionError.self) { try ticket((option, value)) }
    }

    @Test func `the last value of a layout option applies, and the values 'none' and '' remove the option`() throws {
        #expect(
            try ticket(
                ("multiple-document-handling", "single-document"),
                ("multiple-document-handling", "separate-documents-collated-copies")
            ).documentJoining == nil)
        #expect(
            try ticket(
                ("poster", "2x2"), ("poster", "none"), ("page-numbers", ""), ("page-numbers", "none"),
                ("watermark", "x"), ("watermark", "")) == JobTicket())
    }

    @Test func `a border option is decoded if an older version stored the option`() throws {
        let old = #"{"border":true,"count":4,"layout":"toright-tobottom"}"#
        #expect(try JSON.read(NumberUp.self, old) == NumberUp(count: 4, border: .single))
        #expect(try JSON.read(JobTicket.self, "{}") == JobTicket())
    }
}
