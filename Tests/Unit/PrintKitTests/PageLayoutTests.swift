import PrintKit
import Testing

struct PageLayoutTests {
    private let uneven = PrintPaper(
        media: .custom(width: .millimeters(50.8), height: .millimeters(101.6)),
        margins: Margins(top: .millimeters(2.54), left: .millimeters(5.08), bottom: .millimeters(7.62), right: .zero))

    @Test func `the content area is between header and footer, and all three areas are inside the printable area`() {
        let layout = PageLayout(smallPaper, headerHeight: 20, footerHeight: 30)
        #expect(isNear(layout.paperRect, Rect(x: 0, y: 0, width: 144, height: 288)))
        #expect(isNear(layout.printableRect, Rect(x: 14.4, y: 14.4, width: 115.2, height: 259.2)))
        #expect(isNear(layout.headerRect, Rect(x: 14.4, y: 14.4, width: 115.2, height: 20)))
        #expect(isNear(layout.contentRect, Rect(x: 14.4, y: 34.4, width: 115.2, height: 209.2)))
        #expect(isNear(layout.footerRect, Rect(x: 14.4, y: 243.6, width: 115.2, height: 30)))
    }

    @Test func `without header and footer, the content area is the printable area`() {
        let layout = PageLayout(smallPaper)
        #expect(layout.contentRect == layout.printableRect)
    }

    @Test func `header and footer are limited to the printable area`() {
        let layout = PageLayout(smallPaper, headerHeight: 200, footerHeight: 1000)
        #expect(layout.contentRect.height == 0)
        #expect(isNear(layout.footerRect, Rect(x: 14.4, y: 214.4, width: 115.2, height: 59.2)))
        #expect(PageLayout(smallPaper, headerHeight: .nan, footerHeight: -5).contentRect == layout.printableRect)
    }

    @Test(arguments: [
        // The margins are 7.2 at the top, 14.4 on the left, 21.6 at the bottom, and 0 on the right.
        (Orientation.portrait, Rect(x: 14.4, y: 7.2, width: 129.6, height: 259.2)),
        (.landscape, Rect(x: 21.6, y: 14.4, width: 259.2, height: 129.6)),
        (.reverseLandscape, Rect(x: 7.2, y: 0, width: 259.2, height: 129.6)),
        (.reversePortrait, Rect(x: 0, y: 21.6, width: 129.6, height: 259.2)),
    ])
    func `the margins of the paper are rotated with the page`(orientation: Orientation, printable: Rect) {
        let layout = PageLayout(uneven, orientation: orientation)
        let isTurned = orientation == .landscape || orientation == .reverseLandscape
        #expect(isNear(layout.paperRect, Rect(x: 0, y: 0, width: isTurned ? 288 : 144, height: isTurned ? 144 : 288)))
        #expect(isNear(layout.printableRect, printable))
    }
}
