// Tests the output of `printq papers`.

import IPP
import PrintqOutput
import SpoolerClient
import PrintIPP
import PrintModel
import Testing

struct PaperListTests {
    private static func papers(_ papers: [PrintPaper]) -> [Attribute] {
        [
            Attribute("media-col-database", papers.map { .collection($0.mediaCol()) }),
            Attribute("media-default", .keyword("iso_a4_210x297mm")),
            Attribute("media-col-ready", .collection(paper(.a4, "stationery").mediaCol())),
        ]
    }

    private static func paper(_ media: Media, _ type: String, margins: Double = 4) -> PrintPaper {
        PrintPaper(media: media, margins: .all(.millimeters(margins)), type: type)
    }

    /// Returns the names in each row of a table of papers: the common names, then the IPP name.
    private static func names(in table: TextTable) -> [[String]] {
        table.text().split(separator: "\n").dropFirst().map { line in
            let columns = line.drop { $0 == "*" || $0 == " " }.split(separator: /[ ]{2,}/).map(String.init)
            return columns[0].split(separator: ", ").map(String.init) + [columns[1]]
        }
    }

    @Test func `'--paper' accepts every listed paper name, and the list contains every accepted common name`() throws {
        let group = AttributeGroup(.printer, Self.papers(Media.standard.map { Self.paper($0, "stationery") }))
        let all = Self.names(in: PaperList.allNames)
        #expect(all.compactMap(\.last) == Media.standard.map(\.name))
        #expect(all.flatMap { $0.dropLast() } == Media.commonNames)
        for names in all + Self.names(in: PaperList(group).table) {
            for name in names {
                let option = OptionText(name: "media", value: name, typed: "--paper")
                #expect(try JobTicket([option], now: 0).media?.name == names.last, "\(name)")
            }
        }
    }

    @Test func `'--paper' accepts the displayed name of a paper of any size`() throws {
        let roll = Media.custom(width: .millimeters(62), height: .millimeters(100.5))
        #expect(roll.localizedName == "62 × 100.5 mm")
        #expect(try JobTicket([OptionText(name: "media", value: roll.localizedName)], now: 0).media == roll)
    }

    @Test
    func `papers with equal size and margins share a row, even if their types differ, and loaded paper is marked`()
        throws
    {
        let list = PaperList(
            AttributeGroup(
                .printer,
                Self.papers([
                    Self.paper(.a4, "stationery"), Self.paper(.a4, "photographic", margins: 0),
                    Self.paper(.a5, "stationery"), Self.paper(.a4, "labels"),
                ])))
        #expect(
            list.table.text() == """
                   PAPER  IPP NAME          MARGINS     KIND                LOADED
                *  A4     iso_a4_210x297mm  4 mm        stationery, labels  yes
                *  A4     iso_a4_210x297mm  borderless  photographic
                   A5     iso_a5_148x210mm  4 mm        stationery

                """)
    }
}
