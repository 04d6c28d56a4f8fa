import Foundation
import PrintTestSupport
import Testing

/// Tests of the users who are allowed to print on a printer, with printq, lpadmin and lp.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct AllowedUsersTests {
    private let spooler: TestSpooler
    private let host: String
    private let path: String

    init() throws {
        spooler = try TestSpooler()
        host = try spooler.start(tcp: true).host
        path = try spooler.file("a.pdf", .numbered(pages: 1))
    }

    private func lp(as user: String, _ arguments: String...) async throws -> ProgramRun {
        try await spooler.run("lp", ["-h", host, "-U", user, "-d", "label", "-H", "hold"] + arguments + [path])
    }

    @Test func `printd refuses a submission, a move or a reprint if the user is not an allowed user of the printer`()
        async throws
    {
        let said = try await spooler.printq("printers", "allow", "label", "anna", "@lp")
        expect(said)
        #expect(said.output == "only anna, @lp may print on label\n")
        #expect(try await spooler.printq("printers").output.contains("only anna, @lp may print"))
        expect(try await lp(as: "anna"))
        expect(try await lp(as: "lp"))  // a member of the group
        let refused = try await lp(as: "ben")
        #expect(refused.code == 1)
        #expect(refused.complaints.contains("ben is not allowed to print on label"), "\(refused)")
        // As in CUPS, the restriction also applies to administrators.
        expect(
            try await spooler.printq("submit", "-d", "label", path), code: 77,
            says: "printq: \(NSUserName()) is not allowed to print on label; "
                + "choose another printer or ask an administrator")

        // Moving or reprinting a job must not bypass the restriction.
        let other = try await spooler.submit(path, "-d", "mono-laser", "--hold")
        expect(try await spooler.printq("move", "\(other)", "label"), code: 77)
        let printed = try await spooler.submit(path, "-d", "color-laser")
        try await spooler.waitForEnd(of: printed)
        expect(try await spooler.printq("reprint", "\(printed)", "-d", "label"), code: 77)

        for odd in [["bad,name"], [" bad"], [""], ["@"], ["all", "anna"]] {
            let run = try await spooler.run(
                spooler.program("printq"), ["printers", "allow", "label"] + odd)
            expect(run, code: 64)
        }
        expect(try await spooler.printq("printers", "allow", "label", "all"))
        expect(try await lp(as: "ben"))
        #expect(try await spooler.jobs().count { $0.state == "pending-held" } == 4)
    }

    @Test func `lpadmin sets the allowed users of a printer, and users who are not allowed do not see the printer`()
        async throws
    {
        expect(try await spooler.administer("lpadmin", "-p", "label", "-u", "deny:ben,carl"))
        expect(try await lp(as: "anna"))
        #expect(try await lp(as: "ben").complaints.contains("is not allowed to print on label"))
        let asBen = try await spooler.run("lpstat", ["-h", host, "-U", "ben", "-a"])
        #expect(asBen.lines.count == 6 && !asBen.output.contains("label"), "\(asBen)")
        #expect(try await spooler.run("lpstat", ["-h", host, "-U", "anna", "-a"]).lines.count == 7)
        #expect(try await spooler.printq("printers").output.contains("ben, carl cannot print"))
        expect(try await spooler.administer("lpadmin", "-p", "label", "-u", "allow:anna"))
        #expect(try await lp(as: "carl").complaints.contains("is not allowed to print on label"))
        expect(try await spooler.administer("lpadmin", "-p", "label", "-u", "allow:all"))
        expect(try await lp(as: "ben"))
        if geteuid() == 0 {
            let refused = try await spooler.runAsStranger(
                "/usr/sbin/lpadmin", "-h", host, "-U", "root", "-p", "label", "-u", "deny:anna")
            #expect(refused.code != 0, "a claimed user name has no rights: \(refused)")
        }
        // The setting survives a restart.
        expect(try await spooler.printq("printers", "deny", "label", "all"))
        spooler.stop()
        try spooler.start()
        #expect(try await spooler.printq("printers").output.contains("nobody may print"))
    }
}
