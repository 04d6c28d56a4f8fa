// Reads the commands of a program.

import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

/// A command of `printq` or `printsim`, as the program describes it.
struct ProgramCommand: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable { var name: String }
        var names: [Name]?
    }

    private struct Dump: Decodable {
        var command: ProgramCommand
    }

    var commandName: String
    var arguments: [Argument]?
    var subcommands: [ProgramCommand]?

    var hasJSON: Bool { arguments?.contains { $0.names?.contains { $0.name == "json" } == true } == true }

    /// Returns the commands without subcommands of a program, with their full names.
    static func leaves(of program: String) async throws -> [(name: String, command: ProgramCommand)] {
        let run = try await ProgramRun(
            Programs.beside(program), ["--experimental-dump-help"], environment: [:], in: "/")
        try #require(run.code == 0, "\(run.complaints)")
        return try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command.leaves()
    }

    private func leaves(_ path: String = "") -> [(name: String, command: ProgramCommand)] {
        let name = path.isEmpty ? commandName : "\(path) \(commandName)"
        let children = (subcommands ?? []).filter { !path.isEmpty || !$0.commandName.hasPrefix("_") }
        return children.isEmpty ? [(name, self)] : children.flatMap { $0.leaves(name) }
    }
}
