// Tests of the suggestions for mistyped names.

import Testing

@testable import PrintModel

struct NearestNameTests {
    private static let commands = ["submit", "queue", "status", "show", "watch", "cancel", "hold", "release", "papers"]

    @Test(arguments: [
        ("quene", "queue"), ("queu", "queue"), ("qeueu", "queue"), ("Queue", "queue"), ("cancle", "cancel"),
        ("stats", "status"), ("sohw", "show"), ("papres", "papers"), ("relase", "release"), ("canc", "cancel"),
    ])
    func `for a mistyped name, the similar known name is suggested`(typed: String, meant: String) {
        #expect(NearestName.of(typed, in: Self.commands) == meant)
    }

    @Test(arguments: ["", "x", "sh", "invoice", "report.pdf", "st", "xyzw", String(repeating: "queue", count: 1000)])
    func `for a name that is not similar to a known name, no name is suggested`(typed: String) {
        #expect(NearestName.of(typed, in: Self.commands) == nil)
    }

    @Test func `for a name of two characters, a known name is suggested only if the names are equal except for case`() {
        #expect(NearestName.of("a4", in: ["A3", "A4", "A5"]) == "A4")
        #expect(NearestName.of("A9", in: ["A3", "A4", "A5"]) == nil)
    }

    @Test func `a prefix yields a suggestion only if exactly one known name has the prefix`() {
        #expect(NearestName.of("pri", in: ["printers", "priority"]) == nil)
        #expect(NearestName.of("printe", in: ["printers-add", "priority"]) == "printers-add")
    }

    @Test func `of two equally similar names, the name with the same first letter is suggested`() {
        #expect(NearestName.of("sold", in: ["hold", "sole"]) == "sole")
    }

    @Test func `in the distance between two names, a swap of two adjacent letters counts as one change`() {
        #expect(NearestName.distance(Array("ab"), Array("ba")) == 1)
        #expect(NearestName.distance(Array("kitten"), Array("sitting")) == 3)
        #expect(NearestName.distance([], Array("abc")) == 3)
    }

    @Test func `the text of a suggestion can be appended to an error message`() {
        #expect(NearestName.suggestion(for: "quene", in: Self.commands) == "; did you mean 'queue'?")
        #expect(NearestName.suggestion(for: "zzz", in: Self.commands).isEmpty)
    }
}
