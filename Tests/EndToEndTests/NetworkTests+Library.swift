// Tests programs with SpoolerClient on another machine than printd.

import Foundation
import PrintTestSupport
import Testing

extension NetworkTests {
    @Test func `a program with SpoolerClient uses the server and the login of printq`() async throws {
        try await start()
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        let unknown = try await remote("queue", program: "QueueCommands")
        #expect(unknown.code == 1 && unknown.output.hasPrefix("noPermission: "), "\(unknown)")
        #expect(unknown.output.contains("run 'printq login'"), "\(unknown)")
        let secret = try await token("laptop", "--user", "anna")
        expect(try await remote("login", "ipps://\(Self.server):8631", "--user", "anna", input: secret))
        expect(try await spooler.printq("printers", "pause", "inkjet"))
        #expect(try await remote("submit", "inkjet", file, program: "QueueCommands").output == "1\n")
        #expect(try await spooler.printq("show", "1").output.contains("anna"))
        #expect(try await remote("queue", program: "QueueCommands").output == "1 pending inkjet\n")
        let pause = try await remote("printers", "resume", "inkjet", program: "QueueCommands")
        #expect(pause.output.hasPrefix("noPermission: "), "\(pause)")
        let pages = try await remote("preview", "1", spooler.folder.path, program: "QueueCommands")
        #expect(pages.output.hasPrefix("usage: the pages of a job can be drawn only on the machine"), "\(pages)")
        expect(try await remote("cancel", "1", program: "QueueCommands"))
        #expect(try await spooler.job(1).state == "canceled")
    }
}
