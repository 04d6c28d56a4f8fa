import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

struct DescriptionTests {
    private static let shipped = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Simulators").path

    private func read(_ text: String) throws(SimulatorError) -> SimulatedPrinterDescription {
        try SimulatedPrinterDescription(json5: Data(text.utf8), file: "x.json5")
    }

    private func error(_ change: String) -> String? {
        do throws(SimulatorError) {
            // A duplicate key would hide the invalid key.
            let others = ["name: 'x'", "media: ['A4']"].filter {
                !change.hasPrefix($0.prefix(5)) && !change.contains("}, \($0.prefix(5))")
            }
            _ = try read("{ \((["makeAndModel: 'X'"] + others + [change]).joined(separator: ", ")) }")
            return nil
        } catch {
            #expect(error.code == .badDescription)
            return error.message
        }
    }

    @Test func `every shipped printer file can be loaded, is named after the printer and describes capabilities`()
        throws
    {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.shipped).filter { $0.hasSuffix(".json5") }
        #expect(Set(files).isSuperset(of: ["inkjet.json5", "mono-laser.json5", "color-laser.json5"]))
        for file in files {
            let printer = try SimulatedPrinterDescription(path: "\(Self.shipped)/\(file)")
            #expect("\(printer.name).json5" == file)
            let can = printer.capabilities
            #expect(Set(can.formats).isSuperset(of: [.jpeg, .pwgRaster]))
            #expect(!can.papers.isEmpty && !can.readyPapers.isEmpty && can.maxCopies == 99 && can.collates)
            #expect(printer.speed == .times(10))
        }
    }

    @Test func `the shipped inkjet, mono laser and color laser differ in color modes, sides and margins`() throws {
        let inkjet = try SimulatedPrinterDescription(path: "\(Self.shipped)/inkjet.json5").capabilities
        let mono = try SimulatedPrinterDescription(path: "\(Self.shipped)/mono-laser.json5").capabilities
        let color = try SimulatedPrinterDescription(path: "\(Self.shipped)/color-laser.json5").capabilities
        let a4 = try #require(inkjet.papers.first { $0.media == .a4 })
        #expect(a4.margins.bottom == .millimeters(12.5) && a4.margins.top == .millimeters(3))
        #expect(inkjet.papers.contains { $0.media == .photo4x6 && $0.isBorderless })
        #expect(inkjet.duplexModes == [.none] && inkjet.colorModes.contains(.color))
        #expect(mono.colorModes == [.auto, .monochrome] && mono.duplexModes.count == 3)
        #expect(color.colorModes.contains(.color) && color.defaultDuplex == .none)
        #expect(color.papers[0].margins == .all(.millimeters(4.23)))

        let duplex = try SimulatedPrinterDescription(path: "\(Self.shipped)/inkjet-duplex.json5")
        #expect(duplex.sides.count == 3 && duplex.isColor && duplex.sheetBack == .rotated)
        let photo = try SimulatedPrinterDescription(path: "\(Self.shipped)/photo.json5")
        #expect(photo.defaultMedia == .photo4x6 && photo.kinds == ["photo"])
        #expect(photo.formats == [.jpeg, .pwgRaster, .urf, .pdf])
        #expect(photo.papers.contains { $0.media == .photo4x6 && $0.isBorderless && $0.type == "photographic-glossy" })
        let label = try SimulatedPrinterDescription(path: "\(Self.shipped)/label.json5")
        #expect(!label.isColor && label.customMedia == nil && label.papers.allSatisfy { $0.type == "labels" })
        let roll = try SimulatedPrinterDescription(path: "\(Self.shipped)/roll.json5")
        #expect(roll.hasCutter && roll.trays[0].rollWidth == .inches(4) && roll.trays[0].loaded == 30_000)
        #expect(roll.customMedia?.height.upperBound == 200_000)
        // Only papers with the width of the roll are ready.
        #expect(!roll.capabilities.readyPapers.contains { $0.media.width != .inches(4) })
    }

    @Test func `missing keys of a printer file have default values`() throws {
        let printer = try read("{ name: 'x', makeAndModel: 'X', media: ['A4'] }")
        #expect(printer.trays == [.init(name: "main")] && printer.trays[0].loaded == nil)
        #expect(printer.previewResolution == 100 && printer.speed == .instant && printer.sides == [.none])
        #expect(printer.formats == [.pdf] && !printer.isColor && printer.supplies.isEmpty)
    }

    @Test func `the papers, margins, trays and speed in a printer file are read`() throws {
        let printer = try read(
            """
            { name: 'x', makeAndModel: 'X', margins: 5, defaultMedia: '4x6',
              media: ['A4', { size: '4x6', margins: { bottom: 10 }, borderless: true, types: ['photographic'] }],
              trays: [{ name: 'a', media: 'A4', type: 'stationery', capacity: 20, loaded: 3 }], speed: 'x2.5',
              customMedia: { width: [50, 100.5], height: [60, 200] } }
            """)
        let bottom = Margins(
            top: .millimeters(5), left: .millimeters(5), bottom: .millimeters(10), right: .millimeters(5))
        #expect(
            printer.papers == [
                PrintPaper(media: .a4, margins: .all(.millimeters(5))),
                PrintPaper(media: .photo4x6, margins: bottom, type: "photographic"),
                PrintPaper(media: .photo4x6, margins: .zero, type: "photographic"),
            ])
        #expect(printer.defaultMedia == .photo4x6 && printer.speed == .times(2.5))
        #expect(printer.trays == [.init(name: "a", media: .a4, type: "stationery", capacity: 20, loaded: 3)])
        #expect(printer.customMedia?.width == 5000...10050)
        #expect(printer.capabilities.readyPapers.map(\.media) == [.a4])
        #expect(PrintSpeed.times(2.5).interval(pagesPerMinute: 24) == .seconds(1))
    }

    @Test(arguments: [
        ("duplex: true", "x.json5: 'duplex' is an unknown key; the allowed keys are name, info,"),
        ("color: 'yes'", "x.json5: 'color' must be true or false, but is \"yes\""),
        ("pagesPerMinute: 0", "x.json5: 'pagesPerMinute' must be a whole number from 1 to 10000, but is 0"),
        ("sides: ['both']", "x.json5: 'sides' must be a list of one-sided, two-sided-long-edge,"),
        ("speed: 'fast'", "x.json5: 'speed' must be \"instant\" or a factor from 0.01 to 10000 such as"),
        (
            "formats: ['text/plain']",
            "x.json5: 'formats' must be a list of application/pdf, image/jpeg, image/pwg-raster, image/urf, but is"
        ),
        ("media: []", "x.json5: 'media' must be a list of sizes, but is []"),
        ("media: ['A99']", "x.json5: 'media[0].size' must be a size such as A4, Letter, 4x6, 100x62mm or"),
        ("media: [{ size: 'A4', margins: { upper: 3 } }]", "x.json5: 'media[0].margins.upper' is an unknown key"),
        ("margins: 105", "x.json5: 'margins' must be millimeters from 0 to 100, but is 105"),
        ("margins: { left: 99, right: 99, top: 99, bottom: 99 }, media: ['A6']", "x.json5: 'media[0].margins' must be"),
        ("defaultMedia: 'A3'", "x.json5: 'defaultMedia' must be one of the printer's media (A4), but is \"A3\""),
        ("trays: [{ capacity: 5 }]", "x.json5: 'trays[0].name' must be a text, but is missing"),
        ("trays: [{ name: 'a', capacity: 5, loaded: 6 }]", "x.json5: 'trays[0].loaded' must be \"endless\" or"),
        ("trays: [{ name: 'a' }, { name: 'a' }]", "x.json5: 'trays[1].name' must be a name that no other tray has"),
        ("supplies: [{ name: 'K', color: 'black' }]", "x.json5: 'supplies[0].yield' must be a whole number from"),
        ("customMedia: { width: [5, 3], height: [1, 2] }", "x.json5: 'customMedia.width' must be two lengths"),
        ("cutter: true", "x.json5: 'cutter' must be false, because no tray holds a roll"),
        (
            "trays: [{ name: 'a', roll: 62, media: 'A4' }]",
            "x.json5: 'trays[0].media' must be left out for a tray with a roll"
        ),
        ("trays: [{ name: 'a', roll: 1 }]", "x.json5: 'trays[0].roll' must be a number from 5.0 to 5000.0"),
        ("name: '../up'", "x.json5: 'name' must be 1 to 127 letters, digits, '-', '_' and '.', beginning with"),
        ("name: 'x' oops: 3", "x.json5 is not valid JSON5; look for a missing comma, quote or bracket"),
    ])
    func `the error for an invalid printer file contains the key and the allowed values`(
        change: String, message: String
    ) {
        #expect(error(change)?.hasPrefix(message) == true, "\(error(change) ?? "accepted")")
    }

    @Test(arguments: [
        "oops: 1", "media: [{ oops: 1 }], name: 'x'", "trays: [{ oops: 1 }]", "supplies: [{ oops: 1 }]",
        "margins: { oops: 1 }", "customMedia: { oops: 1 }",
    ])
    func `the README documents every key of a printer file`(change: String) throws {
        let readme = try String(contentsOfFile: "\(Self.shipped)/README.md", encoding: .utf8)
        let message = try #require(error(change))
        let list = try #require(message.split(separator: "allowed keys are ").last)
        let keys = list.split(separator: ", ")
        #expect(keys.count >= 3)
        for key in keys { #expect(readme.contains("`\(key)`"), "\(key)") }
    }

    @Test func `the error for a missing printer file contains the path`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: SimulatorError.self) { () throws in
            try SimulatedPrinterDescription(path: folder.path("none.json5"))
        }
        #expect(error?.message.contains(folder.path("none.json5")) == true)
    }
}
