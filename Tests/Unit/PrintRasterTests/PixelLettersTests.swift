import PrintRaster
import PrintTestSupport
import Testing

struct PixelLettersTests {
    @Test func `'expectPixels' fails if the bitmap differs from the expected letters in color or line length`() {
        let sheet = Bitmap(width: 4, height: 2)
        withKnownIssue { expectPixels(sheet, "__R_\n____") }
        withKnownIssue { expectPixels(sheet, "___#\n____") }
        withKnownIssue { expectPixels(sheet, "____\n___") }
        withKnownIssue { expectPixels(sheet, "_____\n_____") }
    }

    @Test func `each cell is shown as the letter of the palette color that is nearest to most of its pixels`() {
        var sheet = Bitmap(width: 6, height: 3)
        for y in 0..<3 { sheet[3, y] = Bitmap.Pixel(red: 240, green: 30, blue: 10) }
        for y in 0..<3 { sheet[4, y] = Bitmap.Pixel(red: 200, green: 60, blue: 10) }
        #expect(pixelLetters(of: sheet, columns: 2, rows: 1) == "_R")
        expectPixels(sheet, "_#")
        expectPixels(sheet, ".R")
    }
}
