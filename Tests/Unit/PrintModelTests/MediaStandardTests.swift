import PrintModel
import Testing

struct MediaStandardTests {
    @Test func `every medium of the standard table is valid and can be found by its name`() {
        // The table has 87 rows. A row that cannot be parsed would be missing.
        #expect(Media.standard.count == 87)
        for media in Media.standard {
            #expect(Media(name: media.name) == media)
            #expect(Media(named: media.name.uppercased()) == media)
        }
        #expect(Set(Media.standard.map(\.name)).count == Media.standard.count)
    }

    @Test func `a standard medium is parsed from its localized name`() {
        for media in Media.standard { #expect(Media(named: media.localizedName) == media) }
    }

    @Test func `of several media with the same size, the most common medium is the standard medium`() {
        #expect(Media.standard(width: .inches(5), height: .inches(7))?.name == "na_5x7_5x7in")
        #expect(Media.standard(width: .inches(8.5), height: .inches(13))?.name == "na_foolscap_8.5x13in")
        #expect(Media.standard(width: .inches(4), height: .inches(6)) == .photo4x6)
        #expect(Media.standard(width: .millimeters(1), height: .millimeters(1)) == nil)
    }

    @Test(arguments: [
        ("A4", "iso_a4_210x297mm"), ("a4", "iso_a4_210x297mm"), ("Letter", "na_letter_8.5x11in"),
        ("na-letter", "na_letter_8.5x11in"), ("legal", "na_legal_8.5x14in"), ("4x6", "na_index-4x6_4x6in"),
        ("photo 4x6", "na_index-4x6_4x6in"), ("Tabloid", "na_ledger_11x17in"), ("B5", "iso_b5_176x250mm"),
        ("jis b5", "jis_b5_182x257mm"), ("Env10", "na_number-10_4.125x9.5in"), ("DL", "iso_dl_110x220mm"),
        ("210x297mm", "iso_a4_210x297mm"), ("4x6in", "na_index-4x6_4x6in"), ("100x62mm", "custom_100x62mm_100x62mm"),
        ("Custom.100x62mm", "custom_100x62mm_100x62mm"), ("Custom.8.5x11in", "na_letter_8.5x11in"),
        ("custom_badge_55x86mm", "custom_badge_55x86mm"),
    ])
    func `a medium is parsed from a media name or a size`(_ text: String, _ name: String) {
        #expect(Media(named: text)?.name == name)
    }

    @Test(arguments: [
        ("w288h432", "na_index-4x6_4x6in"), ("w36h136", "custom_12.7x47.98mm_12.7x47.98mm"),
        ("Custom.288x432", "na_index-4x6_4x6in"), ("Custom.288x432pt", "na_index-4x6_4x6in"),
        ("Custom.10x15cm", "om_small-photo_100x150mm"), ("EnvDL", "iso_dl_110x220mm"),
        ("EnvC5", "iso_c5_162x229mm"), ("EnvC65", "iso_c6c5_114x229mm"), ("EnvMonarch", "na_monarch_3.875x7.5in"),
        ("EnvA2", "na_a2_4.375x5.75in"), ("Env9", "na_number-9_3.875x8.875in"), ("EnvChou3", "jpn_chou3_120x235mm"),
        ("EnvKaku2", "jpn_kaku2_240x332mm"), ("ISOB5", "iso_b5_176x250mm"), ("JISB5", "jis_b5_182x257mm"),
        ("A4.Fullbleed", "iso_a4_210x297mm"), ("w288h432.Fullbleed", "na_index-4x6_4x6in"),
        ("4x6.Borderless", "na_index-4x6_4x6in"), ("A4Small", "iso_a4_210x297mm"), ("iso-a4", "iso_a4_210x297mm"),
        ("iso-designated-long", "iso_dl_110x220mm"), ("na-number-10-envelope", "na_number-10_4.125x9.5in"),
        ("monarch-envelope", "na_monarch_3.875x7.5in"), ("jis-b4", "jis_b4_257x364mm"),
        ("SuperB", "na_super-b_13x19in"),
        ("Photo4x6", "na_index-4x6_4x6in"), ("Postcard", "jpn_hagaki_100x148mm"),
        ("EnvItalian", "om_italian_110x230mm"),
    ])
    func `the names of RFC 8011, PPD files and CUPS are parsed`(_ text: String, _ name: String) {
        #expect(Media(named: text)?.name == name)
    }

    @Test func `a name of a PPD file can mean paper without margins`() {
        #expect(Media.isBorderless(named: "A4.Fullbleed") && Media.isBorderless(named: "w288h432.borderless"))
        #expect(!Media.isBorderless(named: "A4") && !Media.isBorderless(named: "A4.Duplex"))
    }

    @Test(arguments: [
        "w288", "wh", "w0h432", "w288h432h5", "Custom.", "Custom.288", "Custom.288x", "Custom.288x432km", "Env",
        "EnvA44", "A4.Striped", "iso-", "w1e3h5",
        "", "A44", "paper", "custom.", "custom.a4", "100x62", "100x62pt", "0x5in", "foo_5x5mm", "62x100mm_5x5mm",
        "custom.iso_a4_210x297mm", "custom.custom.5x5mm", "20000x5mm", "-5x5mm",
    ])
    func `if a media name or size is invalid, the parser returns nil`(_ text: String) {
        #expect(Media(named: text) == nil)
    }

    @Test func `if a medium has no common name, the localized name is the medium's size`() {
        #expect(Media.a4.localizedName == "A4")
        #expect(Media.custom(width: .millimeters(62), height: .millimeters(101.6)).localizedName == "62 × 101.6 mm")
        #expect(Media.custom(width: .millimeters(62.04), height: .millimeters(61.96)).localizedName == "62 × 62 mm")
    }
}
