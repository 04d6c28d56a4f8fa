// The root command of printq. PrintqOutput contains the logic and the output formats.

import ArgumentParser
import Glibc
import IPPClient
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

              printq submit --wait report.pdf      print a file and show its progress
              printq queue                         list waiting and printing jobs
              printq why 12                        explain why job 12 has not been printed

            \(SpoolerClientError.Code.exitCodeHelp)
            """,
        version: PrintModel.Release.version,
        subcommands: [
            Submit.self, ListQueue.self, Show.self, Why.self, Watch.self, Cancel.self, Hold.self, Release.self,
            Move.self, Resume.self, Reprint.self, Preview.self, Printers.self, Papers.self, Types.self, Log.self,
            Status.self, Doctor.self,
        ])

    static func main() async {
        IPPClient.useOneThread()
        let arguments = CommandArguments.prepared(Array(CommandLine.arguments.dropFirst()))
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as SpoolerClientError {
            StandardOutput.complain(error.message)
            Glibc.exit(error.code.exitCode)
        } catch {
            leave(error, arguments)
        }
    }

    /// Ends the program after an error of the parser.
    ///
    /// Help goes to standard output, an error message to standard error.
    private static func leave(_ error: any Error, _ arguments: [String]) -> Never {
        let code = exitCode(for: error)
        if code.isSuccess {
            StandardOutput.print(fullMessage(for: error) + "\n")
        } else if !message(for: error).isEmpty {
            let words = message(for: error).split(separator: "\n").first.map(String.init) ?? ""
            let isCommand = arguments.first.map { name in
                configuration.subcommands.contains {
                    $0._commandName == name || $0.configuration.aliases.contains(name)
                }
            }
            let command = isCommand == true ? "printq \(arguments[0])" : "printq"
            StandardOutput.complain("\(words.prefix(1).lowercased() + words.dropFirst()); see '\(command) --help'")
        }
        Glibc.exit(code.rawValue)
    }
}
