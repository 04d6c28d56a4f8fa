import PrintRaster
import Testing

struct DifferenceTests {
    @Test func `two pages with equal pixels have no difference, even in different pixel formats`() {
        let gray = Bitmap(width: 5, height: 4, format: .gray8)
        #expect(gray.difference(from: gray).isEmpty)
        #expect(gray.difference(from: Bitmap(width: 5, height: 4)).isEmpty)
    }

    @Test func `the difference contains the number and the bounding box of the pixels that differ`() {
        let before = Bitmap(width: 10, height: 10)
        var after = before
        after[2, 3] = .fullRed
        after[6, 8] = Bitmap.Pixel(red: 255, green: 255, blue: 155)
        let difference = after.difference(from: before)
        #expect(difference.pixelCount == 2)
        #expect(difference.box == PixelRect(x: 2, y: 3, width: 5, height: 6))
        #expect(difference.largest == 255)
    }

    @Test func `a pixel is not counted if the difference is within the tolerance`() {
        let before = Bitmap(width: 4, height: 4, format: .gray8)
        var after = before
        after[1, 1] = Bitmap.Pixel(red: 250, green: 250, blue: 250)
        #expect(after.difference(from: before, tolerance: 5) == .init(pixelCount: 0, box: nil, largest: 5))
        #expect(after.difference(from: before, tolerance: 4).pixelCount == 1)
    }

    @Test func `if two pages have different sizes, pixels that exist on only one page are counted as different`() {
        let small = Bitmap(width: 3, height: 2)
        let large = Bitmap(width: 4, height: 3)
        let difference = small.difference(from: large, tolerance: 200)
        #expect(difference.pixelCount == 6)
        #expect(difference.box == PixelRect(x: 0, y: 0, width: 4, height: 3))
    }
}
