// Tests the location of the spool, the exit codes of statuses, and the list of output files.

import IPP
import PrintqOutput
import SpoolerClient
import Testing

@Suite struct SpoolLocationTests {
    private func path(_ named: String? = nil, _ environment: [String: String] = [:]) throws -> String {
        try SpoolLocation(named: named, environment: environment, workingDirectory: "/here").path
    }

    @Test func `the spool is selected by the command line, the environment or the home folder`() throws {
        let all = ["PRINTQ_SPOOL": "/p", "XDG_STATE_HOME": "/x", "HOME": "/h"]
        #expect(try path("s/", all) == "/here/s")
        #expect(try path(nil, all) == "/p")
        #expect(try path(nil, ["XDG_STATE_HOME": "/x", "HOME": "/h"]) == "/x/printq")
        #expect(try path(nil, ["PRINTQ_SPOOL": "", "XDG_STATE_HOME": "x", "HOME": "/h"]) == "/h/.local/state/printq")
        #expect(throws: SpoolerClientError.self) { try path() }
    }

    @Test func `a spool path that is too long for a socket is rejected`() throws {
        let error = try #require(throws: SpoolerClientError.self) { try path("/" + String(repeating: "x", count: 100)) }
        #expect(error.code == .usage)
        #expect(error.message.hasSuffix("is too long for a socket; choose a shorter path with --spool"))
    }

    @Test func `an IPP status is converted to an error code`() {
        let table: [(Status, SpoolerClientError.Code)] = [
            (.clientErrorNotAuthorized, .noPermission), (.clientErrorDocumentFormatNotSupported, .badDocument),
            (.clientErrorAttributesOrValuesNotSupported, .usage), (.clientErrorNotFound, .usage),
            (.clientErrorNotPossible, .notDone), (.serverErrorTemporaryError, .temporary),
            (.serverErrorBusy, .temporary), (.serverErrorInternalError, .software),
        ]
        for (status, code) in table { #expect(SpoolerClientError.Code(status: status) == code, "\(status)") }
    }

    @Test func `a long list of page images is shortened to the first and the last page`() {
        let pages = [3, 1, 10000, 2, 9999].map { number in
            "page-" + String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number).png"
        }
        let output = PrintOutput(folder: "/o", files: ["sheets.pdf"] + pages + ["job.json"])
        #expect(output.text == "/o/\n  page-0001.png … page-10000.png  job.json  sheets.pdf\n")
        #expect(output.pagePaths.last == "/o/page-10000.png")
    }
}
