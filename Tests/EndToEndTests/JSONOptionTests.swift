import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

/// Checks that every command of `printq` and `printsim` can write JSON.
struct JSONOptionTests {
    /// The commands without `--json`, and the reasons.
    private static let exceptions = [
        "printq help": "only prints help texts",
        "printq restore": "printd takes the place of printq and restores the spool",
        "printq config set": "'printq config show KEY --json' shows the changed setting",
        "printq network enable": "'printq network show --json' shows the changed settings",
        "printq network disable": "'printq network show --json' shows the changed settings",
        "printsim help": "only prints help texts",
        "printsim serve": "writes one line of JSON when it is ready, without an option",
        "printsim run": "the output is the output of the tested program; results are in --junit",
        "printsim clone": "the output is a printer file in JSON5",
    ]

    @Test(arguments: ["printq", "printsim"])
    func `every command has the option --json or is in the list of exceptions`(program: String) async throws {
        let commands = try await ProgramCommand.leaves(of: program)
        #expect(commands.count > 10)
        for (name, command) in commands {
            let isException = Self.exceptions[name] != nil
            #expect(command.hasJSON || isException, "'\(name)' has no --json")
            #expect(!(command.hasJSON && isException), "'\(name)' has --json; remove it from the exceptions")
        }
        let names = Set(commands.map(\.name))
        for name in Self.exceptions.keys where name.hasPrefix("\(program) ") && !name.hasSuffix(" help") {
            #expect(names.contains(name), "the exception '\(name)' is not a command")
        }
    }

    @Test func `with --json, commands that change jobs or printers write the new state as JSON`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let first = try await spooler.submit(path, "--hold")
        let second = try await spooler.submit(path, "--hold")
        func json(_ arguments: String...) async throws -> Any {
            let run = try await spooler.run(spooler.program("printq"), arguments + ["--json"])
            expect(run)
            return try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        }
        func states(_ value: Any) -> [String?] { (value as? [[String: Any]] ?? []).map { $0["job-state"] as? String } }
        #expect(states(try await json("hold", "\(first)", "\(second)")) == ["pending-held", "pending-held"])
        #expect(states(try await json("move", "\(first)", "photo")) == ["pending-held"])
        #expect(states(try await json("cancel", "\(first)")) == ["canceled"])
        #expect(states(try await json("cancel", "--all")) == ["canceled"])
        #expect(states(try await json("cancel", "--all")) == [])
        let paused = try await json("printers", "pause", "photo") as? [String: Any]
        #expect(paused?["printer-name"] as? String == "photo" && paused?["printer-state"] as? String == "stopped")
        let allowed = try await json("printers", "allow", "photo", "ann") as? [String: Any]
        #expect(allowed?["requesting-user-name-allowed"] != nil, "\(allowed ?? [:])")
        let removed = try await json("printers", "remove", "label") as? [String: Any]
        #expect(removed?["printer-name"] as? String == "label")
        let partly = try await spooler.printq("cancel", "\(first)", "99", "--json")
        #expect(partly.code != 0 && partly.output == "[]\n" && partly.complaints.contains("job 99"), "\(partly)")
    }
}
