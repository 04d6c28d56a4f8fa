// The root command of printq. PrintqOutput contains the logic and the output formats.

import ArgumentParser
import AsyncPrimitives
import CommandLineErrors
import Glibc
import PrintqOutput
import PrintModel
import SpoolerClient

/// The command `printq`, with one subcommand for each task.
@main
struct Printq: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printq",
        abstract: "Print documents and manage the print queue.",
        discussion: """
            The queue belongs to the daemon printd. printq starts printd if it is not running.

              printq report.pdf                    print a file, short for 'printq submit'
              printq submit --wait report.pdf      print a file and show its progress
              printq queue                         list waiting and printing jobs
              printq why 12                        explain why job 12 has not been printed

            \(SpoolerClientError.Code.exitCodeHelp)
            """,
        version: PrintModel.Release.text(of: "printq"),
        subcommands: [
            Submit.self, ListQueue.self, Show.self, Why.self, Watch.self, Cancel.self, Hold.self, Release.self,
            Change.self, Move.self, Resume.self, Reprint.self, Preview.self, Printers.self, Papers.self, Types.self,
            Hosts.self, Network.self, Tokens.self, Users.self, QuotaCommand.self, LogIn.self, LogOut.self, Audit.self,
            Log.self,
            Status.self,
            Doctor.self, Center.self, Config.self, InitSpool.self, Backup.self, Restore.self, Migrate.self, Export.self,
            Import.self,
        ])

    static func main() {
        OneThreadExecutor.run { await run(CommandLine.arguments) }
    }

    /// Runs the command that a command line names.
    private static func run(_ commandLine: [String]) async {
        let words = Array(commandLine.dropFirst())
        let arguments: [String]
        if words.first == "---completion" {
            // Shells complete words of a command line that is not complete, so these words are not rewritten.
            arguments = words
        } else {
            switch CommandArguments.prepared(words, commands: commandNames) {
            case .command(let prepared): arguments = prepared
            case .unknownCommand(let word): leave(unknownCommand: word)
            }
        }
        let path = CommandPath(self, arguments.first == "help" ? Array(arguments.dropFirst()) : arguments)
        if words.first != "---completion", let problem = path.unknownCommand { leave(problem, path) }
        do {
            var command = try await parse(arguments, path)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as SpoolerClientError {
            StandardOutput.complain(error.message)
            Glibc.exit(error.code.exitCode)
        } catch {
            leave(error, path)
        }
    }

    /// Parses a command line.
    ///
    /// The parser of the command itself is faster than the parser of all commands. The parser of all commands explains
    /// errors and shows the help.
    private static func parse(_ arguments: [String], _ path: CommandPath) async throws -> any ParsableCommand {
        if path.commands.count == 2, arguments.first == path.names[1],
            let type = path.commands[1] as? any AsyncParsableCommand.Type, type.configuration.subcommands.isEmpty,
            let command = try? await type.asyncParseAsRoot(Array(arguments.dropFirst())),
            ObjectIdentifier(Swift.type(of: command)) == ObjectIdentifier(type)
        {
            return command
        }
        return try await asyncParseAsRoot(arguments)
    }

    /// The names of all commands, with their aliases and the command `help`.
    private static var commandNames: [String] { CommandPath(self, []).subcommands + ["help"] }

    /// Ends the program after an error of the parser.
    ///
    /// Help is written to standard output, and an error message to standard error.
    private static func leave(_ error: any Error, _ path: CommandPath) -> Never {
        let code = exitCode(for: error)
        if code.isSuccess {
            StandardOutput.print(fullMessage(for: error) + "\n")
        } else if case let message = message(for: error), !message.isEmpty {
            StandardOutput.complain(path.sentence(for: message).printable)
        }
        Glibc.exit(code.rawValue)
    }

    /// Ends the program because the first argument is neither a command nor a file.
    private static func leave(unknownCommand word: String) -> Never {
        let nearest = NearestName.suggestion(for: word, in: commandNames)
        let words = nearest.isEmpty ? ", and there is no such file; see 'printq --help'" : nearest
        StandardOutput.complain("unknown command '\(word.printable)'\(words)")
        Glibc.exit(SpoolerClientError.Code.usage.exitCode)
    }

    /// Ends the program because a command has no subcommand with the given name: `printq printers puase`.
    private static func leave(_ problem: String, _ path: CommandPath) -> Never {
        let isPrinter = path.names == ["printq", "printers"] && !problem.hasSuffix("?")
        let name = path.unknownWord ?? ""
        let words =
            problem.hasSuffix("?")
            ? "" : isPrinter ? "; for one printer, use 'printq printers show \(name)'" : "; see '\(path.help)'"
        StandardOutput.complain((problem + words).printable)
        Glibc.exit(SpoolerClientError.Code.usage.exitCode)
    }
}
