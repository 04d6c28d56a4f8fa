import PrintModel
import Testing

struct PrintPlanTests {
    static let margins = Margins.all(.millimeters(4))
    static let a4 = PrintPaper(media: .a4, margins: margins, type: "stationery")
    static let letter = PrintPaper(media: .letter, margins: margins, type: "stationery")
    static let photo = PrintPaper(media: .photo4x6, margins: margins, type: "photographic")
    static let photoBorderless = PrintPaper(media: .photo4x6, type: "photographic")

    /// Returns a printer that supports all options, as modified by `change`.
    func printer(_ change: (inout PrinterCapabilities) -> Void = { _ in }) -> PrinterCapabilities {
        var printer = PrinterCapabilities(
            makeAndModel: "Test 1", papers: [Self.a4, Self.letter, Self.photo, Self.photoBorderless],
            defaultMedia: .a4, duplexModes: Duplex.allCases, colorModes: ColorMode.allCases,
            qualities: PrintQuality.allCases, formats: [.pdf], maxCopies: 99, collates: true)
        change(&printer)
        return printer
    }

    func ticket(_ change: (inout JobTicket) -> Void) -> JobTicket {
        var ticket = JobTicket()
        change(&ticket)
        return ticket
    }

    @Test func `the print plan of an empty job ticket has the default options and no conflicts`() {
        let plan = JobTicket().plan(for: printer())
        #expect(plan.imposition == Imposition(paper: Self.a4))
        #expect(plan.device == DeviceOptions(paper: Self.a4))
        #expect(plan.conflicts.isEmpty)
    }

    @Test
    func `if a printer supports scaling, the printer receives print-scaling=none, because imposition scales the pages`()
    {
        for scalings in [PrintScaling.allCases, [PrintScaling.none]] {
            let plan = ticket { $0.scaling = .fill }.plan(for: printer { $0.scalings = scalings })
            #expect(plan.imposition.scaling == .fill && plan.device.scaling == PrintScaling.none)
        }
        for scalings in [nil, [], [PrintScaling.fit]] as [[PrintScaling]?] {
            #expect(JobTicket().plan(for: printer { $0.scalings = scalings }).device.scaling == nil)
        }
    }

    @Test(arguments: [
        (PrintScaling.auto, true, false, PrintScaling.fit), (.auto, true, true, .fill), (.auto, false, true, .none),
        (.autoFit, true, true, .fit), (.autoFit, false, false, .none), (.fit, false, true, .fit),
        (.fill, false, false, .fill), (.none, true, false, .none),
    ])
    func `the print-scaling values 'auto' and 'auto-fit' select fit, fill or none as PWG 5100.13 specifies`(
        scaling: PrintScaling, isLarger: Bool, isBorderless: Bool, expected: PrintScaling
    ) {
        #expect(scaling.settled(isLarger: isLarger, isBorderless: isBorderless) == expected)
    }

    @Test func `a roll is cut as requested if the printer has a cutter, otherwise a requested cut causes a conflict`() {
        let cutter = printer { $0.trimmings = Trimming.allCases }
        for trimming in Trimming.allCases {
            let plan = ticket { $0.trimming = trimming }.plan(for: cutter)
            #expect(plan.device.trimming == trimming && plan.conflicts.isEmpty)
        }
        let refused = ticket { $0.trimming = .afterJob }.plan(for: printer())
        #expect(refused.device.trimming == nil)
        #expect(
            refused.conflicts.map(\.description) == [
                "Test 1 cannot trim after job; omit the option, or choose a printer with a cutter"
            ])
        // A printer without a cutter never cuts.
        let uncut = ticket { $0.trimming = .never }.plan(for: printer())
        #expect(uncut.device.trimming == nil && uncut.conflicts.isEmpty)
    }

    @Test func `an empty job ticket has no conflicts with a printer that reports no capabilities`() {
        let silent = PrinterCapabilities(
            makeAndModel: "Silent", papers: [], defaultMedia: .letter, duplexModes: [], colorModes: [], qualities: [],
            resolutions: [], formats: [], maxCopies: 0)
        let plan = JobTicket().plan(for: silent)
        #expect(plan.conflicts.isEmpty)
        #expect(plan.device.paper == PrintPaper(media: .letter))
        #expect(PrintInfo().ticket.plan(for: silent).conflicts.isEmpty)
        #expect(ticket { $0.media = .letter }.plan(for: silent).conflicts.isEmpty)
        #expect(
            ticket { $0.media = .a3 }.plan(for: silent).conflicts.map(\.description) == [
                "Silent has no paper A3 (iso_a3_297x420mm); omit the option"
            ])
    }

    @Test(arguments: [
        // requested copies, collated, printer's maximum, printer collates → copies by the printer, copies by imposition
        (5, true, 99, true, 5, 1), (5, false, 99, true, 5, 1), (5, false, 99, false, 5, 1), (5, true, 99, false, 1, 5),
        (5, true, 1, false, 1, 5), (5, false, 1, true, 1, 5), (100, true, 99, true, 1, 100), (1, true, 1, false, 1, 1),
        (0, true, 99, true, 1, 1), (-7, true, 99, true, 1, 1), (1, false, 0, false, 1, 1),
    ])
    func `either the printer or imposition makes the copies, but not both`(
        _ copies: Int, _ collated: Bool, _ most: Int, _ collates: Bool, _ byPrinter: Int, _ laidOut: Int
    ) {
        let plan = ticket {
            $0.copies = copies
            $0.collated = collated
        }.plan(
            for: printer {
                $0.maxCopies = most
                $0.collates = collates
            })
        #expect((plan.device.copies, plan.imposition.copies) == (byPrinter, laidOut))
        #expect(plan.device.copies * plan.imposition.copies == max(1, copies))
        if byPrinter > 1 { #expect(plan.device.collated == collated && plan.imposition.collated) }
        if laidOut > 1 { #expect(plan.imposition.collated == collated && plan.device.collated) }
        #expect(plan.conflicts.isEmpty)
    }

    @Test func `if the number of copies exceeds the printer's maximum, there is a conflict`() {
        let plan = ticket { $0.copies = .max }.plan(for: printer())
        #expect(plan.imposition.copies == JobTicket.mostCopies)
        #expect(plan.conflicts.map(\.option) == ["copies"])
        #expect(ticket { $0.copies = 50_000 }.plan(for: printer { $0.maxCopies = 60_000 }).device.copies == 50_000)
    }

    @Test func `imposition applies the page ranges, page order, number-up, scaling and orientation`() throws {
        let ranges = try PageRanges("2-3")
        let plan = ticket {
            $0.pageRanges = ranges
            $0.pageOrder = .reverse
            $0.numberUp = NumberUp(count: 4, border: .single)
            $0.scaling = PrintScaling.none
            $0.orientation = .landscape
            $0.duplex = .shortEdge
        }.plan(for: printer())
        #expect(
            plan.imposition
                == Imposition(
                    paper: Self.a4, pageRanges: ranges, pageOrder: .reverse,
                    numberUp: NumberUp(count: 4, border: .single),
                    scaling: .none, orientation: .landscape, duplex: .shortEdge))
        #expect(plan.device == DeviceOptions(paper: Self.a4, duplex: .shortEdge))
    }

    @Test func `the printer applies the color mode, quality, tray and paper`() {
        let plan = ticket {
            $0.colorMode = .monochrome
            $0.quality = .draft
            $0.mediaSource = "tray-2"
            $0.media = .letter
        }.plan(for: printer())
        #expect(
            plan.device
                == DeviceOptions(paper: Self.letter, colorMode: .monochrome, quality: .draft, mediaSource: "tray-2"))
        #expect(plan.imposition == Imposition(paper: Self.letter))
        #expect(plan.conflicts.isEmpty)
    }

    @Test func `a two-sided job on a one-sided printer becomes one-sided and causes a conflict`() {
        let plan = ticket { $0.duplex = .longEdge }.plan(for: printer { $0.duplexModes = [.none] })
        #expect((plan.device.duplex, plan.imposition.duplex) == (.none, .none))
        #expect(plan.conflicts.map(\.option) == ["sides"])
        #expect(plan.conflicts.first?.requested == "two-sided-long-edge")
        #expect(plan.conflicts.first?.substitute == "one-sided")
        #expect(
            plan.conflicts.first?.description
                == "Test 1 cannot print two-sided-long-edge; omit the option, or choose a printer that prints on both "
                + "sides")
    }

    @Test func `the printer's default for sides applies if the job does not request sides`() {
        let twoSided = printer { $0.defaultDuplex = .longEdge }
        #expect(JobTicket().plan(for: twoSided).imposition.duplex == .longEdge)
        #expect(ticket { $0.duplex = Duplex.none }.plan(for: twoSided).device.duplex == .none)
    }

    @Test func `if the printer does not have the requested paper, the printer's best paper is used`() {
        let plan = ticket { $0.media = .a5 }.plan(for: printer())
        #expect((plan.device.paper, plan.imposition.paper) == (Self.letter, Self.letter))
        #expect(
            plan.conflicts.map(\.description) == [
                "Test 1 has no paper A5 (iso_a5_148x210mm); choose one of A4, Letter, 4x6"
            ])
        #expect(plan.conflicts.first?.substitute == "na_letter_8.5x11in")
    }

    @Test func `a medium with a custom name selects the printer's paper of the same size`() {
        let plan = ticket { $0.media = Media(name: "custom_mine_210x297mm") }.plan(for: printer())
        #expect(plan.device.paper == Self.a4)
        #expect(plan.conflicts.isEmpty)
    }

    @Test func `a custom size within the printer's range uses the margins of the range`() {
        let roll = printer {
            $0.customMedia = .init(width: 1000...6200, height: 1000...100_000, margins: .all(.millimeters(2)))
        }
        let inside = Media.custom(width: .millimeters(62), height: .millimeters(1000))
        let plan = ticket { $0.media = inside }.plan(for: roll)
        #expect(plan.device.paper == PrintPaper(media: inside, margins: .all(.millimeters(2))))
        #expect(plan.conflicts.isEmpty)
        let outside = Media.custom(width: .millimeters(62.01), height: .millimeters(1000))
        #expect(ticket { $0.media = outside }.plan(for: roll).conflicts.map(\.option) == ["media"])
    }

    @Test func `a photo is printed on borderless paper with fill scaling and, if supported, high quality`() {
        let photo = ticket {
            $0.outputType = .photo
            $0.media = .photo4x6
        }
        let plan = photo.plan(for: printer())
        #expect(plan.device.paper == Self.photoBorderless)
        #expect(plan.imposition.scaling == .fill)
        #expect(plan.device.quality == .high)
        let plain = photo.plan(for: printer { $0.qualities = [.normal] })
        #expect(plain.device.quality == nil && plain.conflicts.isEmpty)
        #expect(ticket { $0.media = .photo4x6 }.plan(for: printer()).device.paper == Self.photo)
    }

    @Test func `a requested paper type selects a paper, or is sent unchanged if the printer reports no paper types`() {
        let glossy = PrintPaper(media: .a4, margins: Self.margins, type: "photographic-glossy")
        let wish = ticket { $0.mediaType = "photographic-glossy" }
        #expect(wish.plan(for: printer { $0.papers.append(glossy) }).device.paper == glossy)
        let untyped = wish.plan(for: printer { $0.papers = [PrintPaper(media: .a4, margins: Self.margins)] })
        #expect(untyped.device.paper == glossy && untyped.conflicts.isEmpty)
        let refused = wish.plan(for: printer())
        #expect(refused.device.paper == Self.a4)
        #expect(
            refused.conflicts.map(\.description) == [
                "Test 1 has no paper of type photographic-glossy in A4; choose one of stationery"
            ])
    }

    @Test func `a color job on a monochrome printer causes a conflict, and a grayscale job causes no conflict`() {
        let mono = printer { $0.colorModes = [.monochrome] }
        let plan = ticket { $0.colorMode = .color }.plan(for: mono)
        #expect(plan.device.colorMode == .auto)
        #expect(plan.conflicts.map(\.option) == ["print-color-mode"])
        #expect(ticket { $0.outputType = .grayscale }.plan(for: mono).device.colorMode == .monochrome)
        #expect(ticket { $0.colorMode = .auto }.plan(for: mono).conflicts.isEmpty)
    }

    @Test func `an unsupported quality is replaced by normal quality or by the printer's default`() {
        let plan = ticket { $0.quality = .high }.plan(for: printer { $0.qualities = [.normal] })
        #expect(plan.device.quality == .normal)
        #expect(plan.conflicts.map(\.substitute) == ["4"])
        let silent = ticket { $0.quality = .high }.plan(for: printer { $0.qualities = [] })
        #expect(silent.device.quality == nil)
        #expect(silent.conflicts.map(\.substitute) == ["the printer's default"])
    }

    @Test func `the message of a conflict contains the name of the queue`() {
        let words = ticket { $0.duplex = .longEdge }.plan(for: printer { $0.duplexModes = [.none] }, named: "office")
            .conflicts.map(\.description)
        #expect(words.map { $0.hasPrefix("office cannot print two-sided-long-edge; ") } == [true], "\(words)")
    }

    @Test(arguments: [
        (5500...21_600, 8900...35_600, "100x150mm"), (7620...21_600, 12_700...35_560, "100x150mm"),
        (2540...10_800, 2000...200_000, "100x150mm"), (2540...6210, 1000...2000, "62x20mm"),
        (12_345...12_399, 20_010...20_020, "123.45x200.1mm"), (21_590...21_590, 27_940...27_940, "215.9x279.4mm"),
    ])
    func `the example size for a range of custom sizes lies within the range`(
        width: ClosedRange<Int>, height: ClosedRange<Int>, example: String
    ) throws {
        let range = PrinterCapabilities.MediaRange(width: width, height: height, margins: .zero)
        #expect(range.example == example)
        var ticket = JobTicket()
        try ticket.set("media", to: example, at: 0)
        let media = try #require(ticket.media)
        #expect(range.contains(media))
        #expect(range.text.hasSuffix(", such as \(example)"))
    }

    @Test func `if a media size is out of range, the message of the conflict contains the supported range`() throws {
        let roll = printer {
            $0.customMedia = .init(width: 1000...6200, height: 1000...100_000, margins: .all(.millimeters(2)))
        }
        let outside = Media.custom(width: .millimeters(80), height: .millimeters(1000))
        let words = try #require(ticket { $0.media = outside }.plan(for: roll).conflicts.first).description
        #expect(words.hasSuffix(", or any size from 10 × 10 to 62 × 1000 mm, such as 62x150mm"), "\(words)")
    }

    @Test(arguments: [
        ("tray-1", "tray-1", []), ("Tray1", "tray-1", []), ("auto", "auto", []), ("attic", nil, ["media-source"]),
    ])
    func `a tray that the printer does not have is a conflict`(
        asked: String, used: String?, conflicts: [String]
    ) throws {
        var printer = PrinterCapabilities(
            makeAndModel: "Test 1", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, formats: [.pdf])
        var ticket = JobTicket()
        try ticket.set("media-source", to: asked, at: 0)
        #expect(ticket.plan(for: printer).conflicts.isEmpty, "the printer does not report its trays")
        printer.mediaSources = ["tray-1", "tray-2"]
        let plan = ticket.plan(for: printer)
        #expect(plan.device.mediaSource == used && plan.conflicts.map(\.option) == conflicts)
    }

    @Test func `paper without margins is selected, and is a conflict if the printer has no such paper`() throws {
        let margins = PrintPaper(media: .a4, margins: .all(.millimeters(5)))
        var printer = PrinterCapabilities(
            makeAndModel: "Test 1", papers: [margins, PrintPaper(media: .a4)], defaultMedia: .a4, formats: [.pdf])
        var ticket = JobTicket()
        try ticket.set("media", to: "A4.Fullbleed", at: 0)
        #expect(ticket.plan(for: printer).imposition.paper.isBorderless)
        printer.papers = [margins]
        #expect(ticket.plan(for: printer).conflicts.map(\.option) == ["media"])
        try ticket.set("media", to: "A4", at: 0)
        #expect(ticket.plan(for: printer).conflicts.isEmpty)
    }
}
