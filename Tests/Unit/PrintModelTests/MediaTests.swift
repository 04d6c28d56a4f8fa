import PrintModel
import Testing

struct MediaTests {
    @Test func `the size of a medium is read from its self-describing name`() throws {
        #expect(Media(name: "iso_a4_210x297mm") == .a4)
        let letter = try #require(Media(name: "na_letter_8.5x11in"))
        #expect((letter.width, letter.height) == (.inches(8.5), .inches(11)))
        let badge = try #require(Media(name: "custom_badge_55x86.5mm"))
        #expect((badge.width.hundredths, badge.height.hundredths) == (5500, 8650))
        #expect(badge.description == "custom_badge_55x86.5mm")
        #expect(Media(name: "custom_min_3x5in")?.width == .inches(3))
    }

    @Test(arguments: [
        "", "_", "__", "a4", "iso_a4", "iso_a4_", "iso__210x297mm", "_a4_210x297mm", "ISO_A4_210x297mm",
        "iso_a4_210x297", "iso_a4_210x297pt", "iso_a4_210xmm", "iso_a4_x297mm", "iso_a4_210x297x1mm", "iso_a4_210mm",
        "iso_a4_-210x297mm", "iso_a4_+210x297mm", "iso_a4_0x297mm", "iso_a4_210x0.001mm", "iso_a4_1e3x297mm",
        "iso_a4_nanxinfmm", "iso_a4_.5x297mm", "iso_a4_5.x297mm", "iso_a4_1.2.3x297mm", "iso_a4_0x10x10mm",
        "iso_a4_10001x297mm", "iso_a4_400x400in", "iso_a4_99999999999999999999x297mm", "iso a4_b_210x297mm",
        "iso_a4_210x297mm\0", "iso_a4_210x297mm\n", "iso_ä4_210x297mm", "iso_a4_２１０x297mm", "../_a_1x1mm",
        "iso_a/4_1x1mm",
    ])
    func `an invalid self-describing name is rejected`(_ name: String) {
        #expect(Media(name: name) == nil)
    }

    @Test func `a media name is rejected if it is longer than 255 characters, the maximum length of an IPP keyword`() {
        let size = "_1x1mm"
        #expect(Media(name: "custom_" + String(repeating: "a", count: 255 - 7 - size.count) + size) != nil)
        #expect(Media(name: "custom_" + String(repeating: "a", count: 256 - 7 - size.count) + size) == nil)
        #expect(Media(name: String(repeating: "a_", count: 500_000) + "1x1mm") == nil)
    }

    @Test(arguments: [(6200, 10000), (10160, 15241), (1, 1_000_000), (5, 105), (10050, 6205)])
    func `a custom medium is parsed from its name`(_ width: Int, _ height: Int) throws {
        let media = Media.custom(width: Length(hundredths: width), height: Length(hundredths: height))
        #expect(media.width.hundredths == width)
        #expect(media.height.hundredths == height)
        #expect(Media(name: media.name) == media)
        #expect(try JSON.read([Media].self, JSON.write([media])) == [media])
    }

    @Test func `the sizes in custom media names have no trailing zeros`() {
        let media = Media.custom(width: .millimeters(62), height: .millimeters(101.6))
        #expect(media.name == "custom_62x101.6mm_62x101.6mm")
        #expect(Media.custom(width: .millimeters(1.05), height: .millimeters(2)).name == "custom_1.05x2mm_1.05x2mm")
    }

    @Test func `the size of a custom medium is limited so that the medium's name can be parsed`() {
        let media = Media.custom(width: .zero, height: .longest)
        #expect((media.width.hundredths, media.height.hundredths) == (1, 1_000_000))
        #expect(Media(name: media.name) == media)
    }

    @Test func `a size has a standard name if it is within half a millimeter of the standard size`() {
        #expect(Media.of(width: .points(595), height: .points(842)) == .a4)
        #expect(Media.of(width: .points(612), height: .points(792)) == .letter)
        #expect(Media.of(width: .millimeters(62), height: .millimeters(100)).name == "custom_62x100mm_62x100mm")
        #expect(Media.of(width: .millimeters(297), height: .millimeters(210)).name == "custom_297x210mm_297x210mm")
        #expect(Media.a4.hasSameSize(as: .custom(width: .millimeters(210.5), height: .millimeters(296.5))))
        #expect(!Media.a4.hasSameSize(as: .custom(width: .millimeters(210.51), height: .millimeters(297))))
    }

    @Test func `a medium is encoded in JSON as its name, and an invalid name is a decoding error`() throws {
        #expect(try JSON.write([Media.a4]) == #"["iso_a4_210x297mm"]"#)
        #expect(throws: DecodingError.self) { try JSON.read([Media].self, #"["A4"]"#) }
    }
}
