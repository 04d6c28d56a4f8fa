// What is said of a printer that is added.

import IPP
import PrintqOutput
import Testing

struct FindingsTests {
    @Test func `what a printer says of itself does not reach the terminal as control characters`() {
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
