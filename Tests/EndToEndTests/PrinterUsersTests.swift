import Foundation
import PrintTestSupport
import Testing

/// Who may print where, as printq, lpadmin and lp have it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PrinterUsersTests {
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

    @Test func `only those who are allowed print, under whichever operation`() async throws {
        let said = try await spooler.printq("printers", "allow", "label", "anna", "@lp")
        expect(said)
        #expect(said.output == "label is for anna, @lp\n")
        #expect(try await spooler.printq("printers").output.contains("for anna, @lp"))
        expect(try await lp(as: "anna"))
        expect(try await lp(as: "lp"))  // a member of the group
        let refused = try await lp(as: "ben")
        #expect(refused.code == 1)
        #expect(refused.complaints.contains("ben may not print on label"), "\(refused)")
        // Nobody is exempt, as in CUPS: not we ourselves either.
        expect(
            try await spooler.printq("submit", "-d", "label", path), code: 77,
            says: "printq: root may not print on label; choose another printer, or ask who looks after this one")

        // Nor by a detour.
        let other = try await spooler.submit(path, "-d", "mono-laser", "--hold")
        expect(try await spooler.printq("move", "\(other)", "label"), code: 77)
        let printed = try await spooler.submit(path, "-d", "color-laser")
        try await spooler.waitForEnd(of: printed)
        expect(try await spooler.printq("reprint", "\(printed)", "-d", "label"), code: 77)

        for odd in [["bad name"], [""], ["@"], ["all", "anna"]] {
            let run = try await spooler.run(
                spooler.program("printq"), ["printers", "allow", "label"] + odd)
            expect(run, code: 64)
        }
        expect(try await spooler.printq("printers", "allow", "label", "all"))
        expect(try await lp(as: "ben"))
        #expect(try await spooler.jobs().count { $0.state == "pending-held" } == 4)
    }

    @Test func `lpadmin says who may print, and those who may not do not see the printer`() async throws {
        expect(try await spooler.administer("lpadmin", "-p", "label", "-u", "deny:ben,carl"))
        expect(try await lp(as: "anna"))
        #expect(try await lp(as: "Ben").complaints.contains("may not print on label"))
        let asBen = try await spooler.run("lpstat", ["-h", host, "-U", "ben", "-a"])
        #expect(asBen.lines.count == 6 && !asBen.output.contains("label"), "\(asBen)")
        #expect(try await spooler.run("lpstat", ["-h", host, "-U", "anna", "-a"]).lines.count == 7)
        #expect(try await spooler.printq("printers").output.contains("not for ben, carl"))
        expect(try await spooler.administer("lpadmin", "-p", "label", "-u", "allow:anna"))
        #expect(try await lp(as: "carl").complaints.contains("may not print on label"))
        expect(try await spooler.administer("lpadmin", "-p", "label", "-u", "allow:all"))
        expect(try await lp(as: "ben"))
        if geteuid() == 0 {
            let refused = try await spooler.runAsStranger(
                "/usr/sbin/lpadmin", "-h", host, "-U", "root", "-p", "label", "-u", "deny:anna")
            #expect(refused.code != 0, "a name that is only claimed changes nothing: \(refused)")
        }
        // It is kept.
        expect(try await spooler.printq("printers", "deny", "label", "all"))
        spooler.stop()
        try spooler.start()
        #expect(try await spooler.printq("printers").output.contains("for nobody"))
    }
}
