import PrintRaster
import PrintTestSupport
import Testing

extension Bitmap.Pixel {
    static let fullRed = Bitmap.Pixel(red: 255, green: 0, blue: 0)
    static let fullBlack = Bitmap.Pixel(red: 0, green: 0, blue: 0)
}

struct BitmapTests {
    @Test func `if a color is stored in a gray bitmap, the bitmap is converted to RGB and keeps all other pixels`() {
        var page = Bitmap(width: 3, height: 2, format: .gray8)
        page[0, 0] = .fullBlack
        #expect(page.format == .gray8)
        page[1, 0] = .fullRed
        #expect(page.format == .rgb24)
        #expect(page.bytesPerRow == 9)
        expectPixels(page, "KR_\n___")
    }

    @Test func `colors are converted to grays of equal luminance: green is light, red is medium and blue is dark`() {
        var page = Bitmap(width: 5, height: 1)
        page[0, 0] = Bitmap.Pixel(red: 0, green: 255, blue: 0)
        page[1, 0] = .fullRed
        page[2, 0] = Bitmap.Pixel(red: 0, green: 0, blue: 255)
        page[3, 0] = Bitmap.Pixel(red: 128, green: 128, blue: 128)
        page.convertToGray()
        expectPixels(page, "LADA_")
        #expect(page.bytes == [220, 130, 70, 128, 255])
    }

    @Test func `if an RGB bitmap is converted to gray, the gray levels do not change`() {
        let levels = (0...255).map { UInt8($0) }
        var page = Bitmap(width: 256, height: 1, format: .rgb24, bytes: levels.flatMap { [$0, $0, $0] })
        page.convertToGray()
        #expect(page.bytes == levels)
        // Nearly gray colors are converted with the tables. The result must be the gray level of the color.
        var tinted = Bitmap(
            width: 254, height: 1, format: .rgb24, bytes: levels[1...254].flatMap { [$0, $0, $0 + 1] })
        tinted.convertToGray()
        #expect(tinted.bytes == Array(levels[1...254]))
    }

    @Test func `a bitmap without ink is blank in both pixel formats, and a bitmap with one faint pixel is not blank`() {
        for format in [Bitmap.Format.gray8, .rgb24] {
            var page = Bitmap(width: 40, height: 30, format: format)
            #expect(page.isBlank)
            page[39, 29] = Bitmap.Pixel(red: 254, green: 254, blue: 254)
            #expect(!page.isBlank)
        }
    }

    @Test func `a page is not gray if the red, green and blue components of one pixel differ`() {
        var page = Bitmap(width: 20, height: 20)
        page[3, 4] = Bitmap.Pixel(red: 90, green: 90, blue: 90)
        #expect(page.isGray)
        page[19, 19] = Bitmap.Pixel(red: 90, green: 90, blue: 91)
        #expect(!page.isGray)
    }

    @Test func `clipping paints the margins white and returns the edges at which ink was clipped`() {
        var page = Bitmap(width: 6, height: 5)
        for y in 1..<4 {
            for x in 0..<4 { page[x, y] = .fullRed }
        }
        #expect(page.clip(to: PixelRect(x: 1, y: 2, width: 4, height: 3)) == [.left, .top])
        expectPixels(
            page,
            """
            ______
            ______
            _RRR__
            _RRR__
            ______
            """)
        #expect(page.clip(to: PixelRect(x: 1, y: 1, width: 4, height: 3)) == [])
    }

    @Test func `if ink in a corner is clipped, both edges of the corner are returned`() {
        var page = Bitmap(width: 4, height: 4, format: .gray8)
        page[3, 3] = .fullBlack
        #expect(page.clip(to: PixelRect(x: 1, y: 1, width: 2, height: 2)) == [.right, .bottom])
        #expect(page.isBlank)
    }

    @Test(arguments: [
        PixelRect(x: 2, y: 2, width: 0, height: 0), PixelRect(x: 9, y: 9, width: 5, height: 5),
        PixelRect(x: -9, y: -9, width: 3, height: 3), PixelRect(x: 1, y: 1, width: -4, height: 2),
    ])
    func `clipping to an empty area leaves a blank page`(area: PixelRect) {
        var page = Bitmap(width: 4, height: 4)
        page[0, 0] = .fullBlack
        page[2, 2] = .fullRed
        page.clip(to: area)
        #expect(page.isBlank)
    }
}
