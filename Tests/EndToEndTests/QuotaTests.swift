import Foundation
import Glibc
import PrintTestSupport
import Testing

/// Tests of quotas with the real programs.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct QuotaTests {
    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    private func print(_ pages: Int, _ options: String...) async throws -> ProgramRun {
        let file = try spooler.file("\(UUID().uuidString).pdf", .numbered(pages: pages))
        return try await spooler.run(
            spooler.program("printq"), ["submit", "--wait", "-d", "mono-laser"] + options + [file])
    }

    /// The limit, the used and the remaining pages of the own user.
    private func standing() async throws -> [Int] {
        let run = try await spooler.printq("quota", "show", "--json")
        expect(run)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let periods = try #require(json["periods"] as? [[String: Any]])
        return ["limit", "used", "remaining"].compactMap { periods.first?["printq-quota-\($0)"] as? Int }
    }

    @Test func `a user prints up to the quota, is refused with its words, and prints again after a top-up`()
        async throws
    {
        expect(try await spooler.printq("quota", "set", "everyone", "--per", "month", "--pages", "5"))
        expect(try await print(3))
        #expect(try await standing() == [5, 3, 2])
        // The length of a document is known after its preparation.
        let long = try await print(4)
        #expect(long.code == 1 && (long.output + long.complaints).contains("5 pages per month"), "\(long)")
        #expect(try await spooler.why(2).contains("5 pages per month"))
        #expect(try await spooler.printq("show", "2", "--json").output.contains("account-limit-reached"))
        expect(try await print(2))
        let refused = try await print(1)
        #expect(
            refused.code == 1 && refused.complaints.contains("the quota of all users is 5 pages per month"),
            "\(refused)")
        #expect(try await standing() == [5, 5, 0])
        spooler.stop()
        try spooler.start()
        #expect(try await print(1).code == 1)
        expect(try await spooler.printq("quota", "top-up", NSUserName(), "--pages", "4"))
        expect(try await spooler.printq("reprint", "2", "--wait"))
        #expect(try await standing() == [5, 9, 0])
        expect(try await spooler.printq("quota", "refund", "1"))
        expect(try await spooler.printq("quota", "refund", "1"), code: 1)
        #expect(try await standing() == [5, 9, 3])
        expect(try await print(3))
        expect(try await spooler.printq("quota", "reset", NSUserName()))
        #expect(try await standing() == [5, 0, 5])
        #expect(try await spooler.printq("quota", "list").output.contains("everyone"))
        expect(try await spooler.printq("quota", "remove", "everyone"))
        #expect(try await spooler.printq("quota").output == "no quota applies\n")
        let audit = try await spooler.printq("audit").output
        #expect(
            audit.contains("Change-Quotas") && audit.contains("account-limit-reached") && !audit.contains("Get-Quotas"))
    }

    @Test func `members of a group of the machine have the quota of the group, over IPP with the registered status`()
        async throws
    {
        let group = String(cString: getgrgid(getegid()).pointee.gr_name)
        expect(
            try await spooler.printq("quota", "set", "@\(group)", "--per", "job", "--copies", "2", "--color", "never"))
        let copies = try await print(1, "--copies", "3")
        #expect(
            copies.code == 1 && copies.complaints.contains("the quota of the group '\(group)' is 2 copies"), "\(copies)"
        )
        let file = try spooler.file("color.pdf", .numbered(pages: 1))
        let color = try await spooler.printq("submit", "-d", "color-laser", file)
        #expect(color.code == 1 && color.complaints.contains("permits no color"), "\(color)")
        expect(try await spooler.printq("submit", "-d", "color-laser", "--color", "monochrome", file))
        expect(try await print(1, "--copies", "2"))
        let audit = try await spooler.printq("audit", "--json").output
        #expect(audit.contains("client-error-account-limit-reached"))
        expect(try await spooler.printq("quota", "set", "everyone", "--per", "day"), code: 64)
        expect(try await spooler.printq("quota", "set", "everyone", "--per", "day", "--copies", "2"), code: 64)
    }

    @Test func `jobs of the same moment do not pass the quota`() async throws {
        expect(try await spooler.printq("quota", "set", "everyone", "--per", "day", "--pages", "6"))
        let file = try spooler.file("two.pdf", .numbered(pages: 2))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { _ = try await spooler.printq("submit", "--wait", "-d", "mono-laser", file) }
            }
            try await group.waitForAll()
        }
        let state = try await standing()
        #expect(state[1] <= 6 && state[1] > 0, "\(state)")
        #expect(try spooler.log(of: "mono-laser").map(\.impressions).reduce(0, +) == state[1])
    }
}
