// Tests the location of the spool, the exit codes of statuses, and the list of output files.

import IPP
import PrintqOutput
import SpoolerClient
import Testing

@Suite struct SpoolLocationTests {
    private func place(
        _ named: String? = nil, _ environment: [String: String] = [:], files: Set<String> = []
    ) throws -> SpoolLocation {
        try SpoolLocation(
            named: named, environment: environment, workingDirectory: "/here", exists: { files.contains($0) })
    }

    private func path(_ named: String? = nil, _ environment: [String: String] = [:]) throws -> String {
        try place(named, environment).path
    }

    private static let socket = "/run/printq/printd.sock"

    @Test func `the system spooler is used if its socket exists and no spool is selected`() throws {
        let home = ["HOME": "/h"]
        let system = try place(nil, home, files: [Self.socket])
        #expect(system.path == "/var/spool/printq" && system.socket == Self.socket && system.isSystem)
        #expect(system.selection == .system && system.configuration == "/etc/printq/printd.json5")
        let named = try place("s", home, files: [Self.socket])
        #expect(named.path == "/here/s" && named.socket == "/here/s/printd.sock" && !named.isSystem)
        #expect(named.selection == .commandLine && named.configuration == "/here/s/printd.json5")
        let chosen = try place(nil, ["PRINTQ_SPOOL": "/p", "HOME": "/h"], files: [Self.socket])
        #expect(chosen.path == "/p" && chosen.selection == .environment && !chosen.replacesSystem)
    }

    @Test func `the folder /var/spool/printq selects the system spooler`() throws {
        for place in [try place("/var/spool/printq/"), try place(nil, ["PRINTQ_SPOOL": "/var/spool/printq"])] {
            #expect(place.isSystem && place.socket == Self.socket && place.configuration == "/etc/printq/printd.json5")
        }
    }

    @Test func `the private spool is used if the system spooler is installed but not running`() throws {
        let home = ["HOME": "/h"]
        #expect(try !place(nil, home).replacesSystem)
        let replacing = try place(nil, home, files: ["/lib/systemd/system/printd.socket"])
        #expect(replacing.replacesSystem && replacing.path == "/h/.local/state/printq" && !replacing.isSystem)
        #expect(replacing.replacementNote?.contains("'systemctl start printd.socket'") == true)
        #expect(try place("s", home, files: ["/lib/systemd/system/printd.socket"]).replacementNote == nil)
    }

    @Test func `'other' of the system spool is the private spool, and 'other' of a private spool is the system spool`()
        throws
    {
        let home = ["HOME": "/h"]
        let files: Set = [Self.socket, "/h/.local/state/printq/spool.sqlite"]
        func other(_ place: SpoolLocation, _ files: Set<String>) -> String? {
            place.other(environment: home, exists: { files.contains($0) })?.path
        }
        let (system, own) = (try place(nil, home, files: files), try place("/s", home, files: files))
        #expect(other(system, files) == "/h/.local/state/printq" && other(own, files) == "/var/spool/printq")
        #expect(other(system, [Self.socket]) == nil && other(own, []) == nil)
    }

    @Test
    func `the spool folder is taken from the command line, the environment or the home folder, in this precedence`()
        throws
    {
        let all = ["PRINTQ_SPOOL": "/p", "XDG_STATE_HOME": "/x", "HOME": "/h"]
        #expect(try path("s/", all) == "/here/s")
        #expect(try path(nil, all) == "/p")
        #expect(try path(nil, ["XDG_STATE_HOME": "/x", "HOME": "/h"]) == "/x/printq")
        #expect(try path(nil, ["PRINTQ_SPOOL": "", "XDG_STATE_HOME": "x", "HOME": "/h"]) == "/h/.local/state/printq")
        #expect(throws: SpoolerClientError.self) { try path() }
    }

    @Test func `a spool path is rejected if it is too long for a socket`() throws {
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
