// Tests the summary of a new printer.

import IPP
import PrintqOutput
import Testing

struct DeviceSummaryTests {
    @Test func `control characters in a printer's attributes do not reach the terminal`() {
        let text = PaperList.findings(
            AttributeGroup(
                .printer,
                [
                    Attribute("printer-make-and-model", .text("Laser\u{1B}[31m")),
                    Attribute("printer-state-message", .text("\u{1B}]0;title\u{7}warm\nup")),
                ]))
        #expect(text.split(separator: "\n").count == 2)
        #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    }
}
