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
}
