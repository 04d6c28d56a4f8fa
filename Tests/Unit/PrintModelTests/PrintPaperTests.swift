import PrintModel
import Testing

struct PrintPaperTests {
    let a4 = PrintPaper(media: .a4, margins: .all(.millimeters(4.23)))
    let a4Borderless = PrintPaper(media: .a4)
    let letter = PrintPaper(media: .letter, margins: .all(.inches(0.25)))
    let a6 = PrintPaper(media: .a6, margins: .all(.millimeters(3)))
    let a3 = PrintPaper(media: .a3, margins: .all(.millimeters(5)))
    let photo = PrintPaper(media: .photo4x6)

    @Test func `the printable area is the paper without its margins, relative to the top left corner`() {
        let paper = PrintPaper(
            media: .letter, margins: Margins(top: .inches(1), left: .inches(0.5), bottom: .inches(2), right: .zero))
        #expect(paper.printableRect == Rect(x: 36, y: 72, width: 576, height: 576))
        #expect(a4Borderless.printableRect.size == a4.paperSize)
        #expect(a4Borderless.isBorderless && !a4.isBorderless)
    }

    @Test func `if the margins are wider than the paper, the printable area is empty and within the paper`() {
        let paper = PrintPaper(media: .a6, margins: .all(.longest))
        #expect(paper.printableRect.isEmpty)
        #expect(paper.printableRect.maxX <= paper.paperSize.width)
        #expect(paper.printableRect.maxY <= paper.paperSize.height)
        #expect(paper.printableRect.width == 0 && paper.printableRect.height == 0)
    }

    @Test func `the best paper for a page has the page's size and the largest printable area`() {
        let all = [a4, letter, a6, a3, a4Borderless]
        #expect(PrintPaper.bestPaper(forPageSize: Media.a4.size, from: all) == a4Borderless)
        #expect(PrintPaper.bestPaper(forPageSize: Media.a4.size.turned, from: [letter, a4]) == a4)
        #expect(PrintPaper.bestPaper(forPageSize: Size(width: 613.5, height: 790.5), from: all) == letter)
    }

    @Test
    func `if no paper has the page's size, the smallest paper that is large enough is used, or else the largest paper`()
    {
        let all = [a3, a6, letter, a4]
        #expect(PrintPaper.bestPaper(forPageSize: Media.a5.size, from: all) == letter)
        #expect(PrintPaper.bestPaper(forPageSize: Media.legal.size, from: all) == a3)
        #expect(PrintPaper.bestPaper(forPageSize: Size(width: 9000, height: 9000), from: all) == a3)
        #expect(PrintPaper.bestPaper(forPageSize: .zero, from: all) == a6)
        #expect(PrintPaper.bestPaper(forPageSize: Size(width: .nan, height: .infinity), from: all) == a3)
        #expect(PrintPaper.bestPaper(forPageSize: Media.a4.size, from: []) == nil)
    }

    @Test(
        arguments: [
            (OutputType.general, "US", Media.letter), (.grayscale, "mx", .letter), (.general, "DE", .a4),
            (.general, nil, .a4),
            (.photo, "CA", .photo4x6), (.photoGrayscale, "US", .photo4x6), (.photo, "JP", .a6), (.photo, nil, .a6),
            (.grayscale, "GB", .a4),
        ] as [(OutputType, String?, Media)])
    func `the default paper depends on the output type and the region`(
        _ type: OutputType, _ region: String?, _ media: Media
    ) {
        #expect(PrintPaper.defaultPaper(for: type, region: region).media == media)
    }

    @Test func `the default paper is a paper of the printer, and borderless paper is preferred only for photos`() {
        #expect(PrintPaper.defaultPaper(for: .general, region: "DE", from: [a4Borderless, a4]) == a4)
        #expect(PrintPaper.defaultPaper(for: .general, region: "DE", from: [a4Borderless]) == a4Borderless)
        #expect(PrintPaper.defaultPaper(for: .photo, region: "US", from: [letter, photo]) == photo)
        #expect(PrintPaper.defaultPaper(for: .photo, region: "DE", from: [a4, letter]) == letter)
        #expect(PrintPaper.defaultPaper(for: .general, region: "US", from: [a6]) == a6)
    }

    @Test(
        arguments: [
            ("en_US.UTF-8", "US"), ("de_DE@euro", "DE"), ("fr_ca", "CA"), ("C", nil), ("C.UTF-8", nil), ("POSIX", nil),
            ("", nil), ("en", nil), ("es_419", nil), ("en_é", nil), ("a_12", nil), ("_", nil),
        ] as [(String, String?)])
    func `the region is read from a locale name`(_ locale: String, _ region: String?) {
        #expect(PrintPaper.region(ofLocale: locale) == region)
    }
}
