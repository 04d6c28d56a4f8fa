import PrintModel
import Testing

/// Tests of the papers that come from a roll.
struct RollTests {
    private let sheet = PrintPaper(media: .a4, type: "stationery")

    /// Returns a printer with custom sizes from 76 to 216 mm wide and up to 6 m long.
    private func printer(
        width: ClosedRange<Int> = 7620...21_600, isRoll: Bool = false, trimmings: [Trimming] = []
    ) -> PrinterCapabilities {
        PrinterCapabilities(
            makeAndModel: "x", papers: [sheet], defaultMedia: .a4,
            customMedia: .init(width: width, height: 12_700...600_000, margins: .zero, isRoll: isRoll), formats: [.pdf],
            trimmings: trimmings)
    }

    @Test func `custom sizes alone do not identify a roll printer, regardless of the maximum length`() {
        #expect(!printer().isFromRoll(sheet))
        #expect(!printer(trimmings: [.never]).isFromRoll(sheet))
        var without = printer(isRoll: true, trimmings: [.afterJob])
        without.customMedia = nil
        #expect(!without.isFromRoll(sheet))
    }

    @Test func `a cutter, a roll source, continuous paper or a single width identifies a roll printer`() {
        #expect(printer(trimmings: [.never, .afterPages]).isFromRoll(sheet))
        #expect(printer(isRoll: true).isFromRoll(sheet))
        #expect(printer(width: 21_000...21_000).isFromRoll(sheet))
        for type in ["continuous", "continuous-long", "labels-continuous"] {
            #expect(printer().isFromRoll(PrintPaper(media: .a4, type: type)))
        }
    }

    @Test func `a paper is not supplied from a roll if the paper is wider than the roll`() {
        #expect(!printer(width: 2540...10_800, trimmings: [.afterPages]).isFromRoll(sheet))
    }

    // MARK: - Long pages

    /// Paper of 101.6 × 152.4 mm from a roll of which the printer cuts 20 mm to 2 m.
    private let label = PrintPaper(
        media: .photo4x6,
        margins: Margins(top: .millimeters(2), left: .zero, bottom: .millimeters(2), right: .zero), type: "continuous")

    private var labelPrinter: PrinterCapabilities {
        PrinterCapabilities(
            makeAndModel: "x", papers: [label], defaultMedia: .photo4x6,
            customMedia: .init(width: 2540...10_800, height: 2000...200_000, margins: label.margins), formats: [.pdf],
            trimmings: [.afterPages])
    }

    private func page(_ width: Double, _ height: Double) -> Size {
        Size(width: Length.millimeters(width).points, height: Length.millimeters(height).points)
    }

    private func pieces(_ pages: [Size?]...) -> RollPieces? {
        RollPieces(pages: pages, imposition: JobTicket().plan(for: labelPrinter).imposition)
    }

    @Test func `a long page is printed at its own length, in equal pieces if the printer cannot cut this length`() {
        let short = pieces([page(80, 500)])
        #expect(short?.counts == [[1]])
        #expect(short?.paper.media == .of(width: .millimeters(101.6), height: .millimeters(500)))
        let long = pieces([page(80, 2100)])
        #expect(long?.counts == [[2]])
        #expect(long?.paper.media == .of(width: .millimeters(101.6), height: .millimeters(1054)))
        // A landscape page is turned.
        #expect(pieces([page(500, 80)])?.paper.media.height == .millimeters(500))
        // The longest page determines the length, and shorter pages and images need one piece each.
        #expect(
            pieces([page(80, 2100), page(80, 1500), page(80, 90), nil], [page(80, 1054)])?.counts == [
                [2, 2, 1, 1], [1],
            ])
    }

    @Test func `a page that fits the paper, or is wider than the roll, does not change the length`() {
        for page in [page(101.6, 152.4), page(152.4, 101.6), page(210, 297), page(50, 50)] {
            #expect(pieces([page, nil]) == nil)
        }
    }

    @Test(arguments: ["media", "orientation", "fit", "number-up", "poster", "no roll"])
    func `a job with its own paper, orientation, scaling or layout keeps the length of the paper`(option: String) {
        var (ticket, printer) = (JobTicket(), labelPrinter)
        #expect(ticket.plan(for: printer).imposition.roll == printer.customMedia)
        switch option {
        case "media": ticket.media = .photo4x6
        case "orientation": ticket.orientation = .portrait
        case "fit": ticket.scaling = .fit
        case "number-up": ticket.numberUp = NumberUp(count: 2, border: .none)
        case "poster": ticket.poster = Poster(columns: 1, rows: 2)
        default:
            printer.trimmings = []
            printer.papers[0].type = "stationery"
        }
        #expect(ticket.plan(for: printer).imposition.roll == nil)
    }

    @Test func `a plan takes the pieces of a worker only if the printer can cut them`() throws {
        let plan = JobTicket().plan(for: labelPrinter)
        var cut = try #require(self.pieces([page(80, 500)]))
        #expect(plan.cut(into: cut).device.paper == cut.paper)
        #expect(plan.cut(into: nil) == plan)
        for size in [(101.6, 2001.0), (101.6, 10), (50, 500)] {
            cut.paper.media = .of(width: .millimeters(size.0), height: .millimeters(size.1))
            #expect(plan.cut(into: cut) == plan)
        }
    }
}
