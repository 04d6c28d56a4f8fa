// Tests of changes in a JSON5 text.

import Testing

@testable import SpoolConfiguration

struct JSON5EditingTests {
    private func edited(_ text: String, _ key: String, _ literal: String) throws -> String {
        try JSON5Document(text).setting(key.split(separator: ".").map(String.init), to: literal)
    }

    @Test func `if a setting is changed, a JSON5 file keeps its comments, its order and its layout`() throws {
        let text = """
            // The office
            {
              keepDays: 3,   // short
              /* many */ "keepJobs" : 1000, perUser: { jobs: 5 /* few */ }
            }
            """
        #expect(
            try edited(text, "keepJobs", "50") == """
                // The office
                {
                  keepDays: 3,   // short
                  /* many */ "keepJobs" : 50, perUser: { jobs: 5 /* few */ }
                }
                """)
        #expect(try edited(text, "perUser.jobs", "6").contains("perUser: { jobs: 6 /* few */ }"))
    }

    @Test(arguments: [
        ("{}", "a", "{ a: 1 }"), ("{ b: 2 }", "a", "{ b: 2, a: 1 }"), ("{ b: 2, }", "a", "{ b: 2, a: 1, }"),
        ("{ /* c */ }", "a", "{ /* c */  a: 1 }"), ("{}", "g.a", "{ g: { a: 1 } }"),
        ("{\n  b: 2 // two\n}\n", "a", "{\n  b: 2, // two\n  a: 1,\n}\n"),
        ("{\n    b: 2,\n}", "a", "{\n    b: 2,\n    a: 1,\n}"), ("{\n}", "g.a", "{\n  g: {\n    a: 1,\n  },\n}"),
        ("{\n  //a: 5,\n  b: 2,\n}", "a", "{\n  //a: 5,\n  a: 1,\n  b: 2,\n}"),
        ("{\n  b: 2\n  // a: 5\n}", "a", "{\n  b: 2,\n  // a: 5\n  a: 1,\n}"),
        ("{\n  g: {\n    //a: 5,\n  },\n  //a: 6,\n}", "a", "{\n  g: {\n    //a: 5,\n  },\n  //a: 6,\n  a: 1,\n}"),
        ("{\n  g: {\n    //a: 5,\n  },\n}", "g.a", "{\n  g: {\n    //a: 5,\n    a: 1,\n  },\n}"),
        ("{\n  /*\n  //a: 5,\n  */\n}", "a", "{\n  /*\n  //a: 5,\n  */\n  a: 1,\n}"),
    ])
    func `in a JSON5 file, a new setting is added after its commented-out default or at the end of its object`(
        text: String, key: String, result: String
    ) throws {
        #expect(try edited(text, key, "1") == result)
        #expect(throws: Never.self) { try JSON5Document(result) }
    }

    @Test(arguments: Setting.all)
    func `each setting of the sample file can be set, and no other line changes`(setting: Setting) throws {
        let literal = setting.standard.literal
        let before = Setting.sampleFile.split(separator: "\n", omittingEmptySubsequences: false)
        let text = try edited(Setting.sampleFile, setting.key, literal)
        var after = text.split(separator: "\n", omittingEmptySubsequences: false)
        let added = try #require(
            after.firstIndex { $0.drop { $0 == " " } == "\(setting.path.last ?? ""): \(literal)," })
        #expect(after[added - 1].hasSuffix("//" + after[added].drop { $0 == " " }))
        after.remove(at: added)
        #expect(after == before)
        #expect(try JSON5Document(text).node(at: setting.path) != nil)
    }
}
