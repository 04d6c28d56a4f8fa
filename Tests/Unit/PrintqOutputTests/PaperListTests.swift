// Tests the output of `printq papers`.

import IPP
import PrintqOutput
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

    @Test func `paper types of one size share a row, different margins have separate rows, and loaded paper is marked`()
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
