// Tests the JSON output.

import IPP
import SpoolerClient
import Testing

@Suite struct JSONTextTests {
    @Test func `IPP attributes become JSON with keywords for states and arrays for sets`() {
        let json = JSONText([
            Attribute("job-id", .integer(12)), Attribute("job-state", .enumeration(3)),
            Attribute("job-state-reasons", .keyword("none")), Attribute("job-impressions", .outOfBand(.unknown)),
            Attribute("page-ranges", .range(IntegerRange(lower: 1, upper: 3))),
            Attribute("job-name", .name("a \"b\"\n\u{1}")),
            Attribute("media-col", .collection(Collection([Attribute("media-type", .keyword("stationery"))]))),
            Attribute("date-time-at-creation", .dateTime(DateTime(unixTime: 0))),
        ])
        #expect(
            json.text == #"""
                {
                  "job-id": 12,
                  "job-state": "pending",
                  "job-state-reasons": [
                    "none"
                  ],
                  "job-impressions": null,
                  "page-ranges": [
                    "1-3"
                  ],
                  "job-name": "a \"b\"\n\u0001",
                  "media-col": {
                    "media-type": "stationery"
                  },
                  "date-time-at-creation": "1970-01-01T00:00:00.0+00:00"
                }
                """#)
        #expect(JSONText.array([]).text == "[]")
        #expect(JSONText.object([]).text == "{}")
    }
}
