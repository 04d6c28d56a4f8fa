// The command line of printq: flags and wiring. What the commands mean is in PrintqOutput.

import ArgumentParser
import Glibc
import IPPClient
import PrintqOutput
import PrintModel
import SpoolerClient

/// `printq`, with one subcommand for everything a person does to the queue.
@main
struct Printq: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printq",
        abstract: "Print documents, and look after the print queue.",
        discussion: """
            The queue belongs to printd, which printq starts when it is not running.

              printq submit --wait report.pdf      print, and see what becomes of it
              printq queue                         what waits and prints
              printq why 12                        why job 12 is not printed yet

            \(SpoolerClientError.Code.exitCodeHelp)
            """,
        version: PrintModel.Release.version,
        subcommands: [
            Submit.self, ListQueue.self, Show.self, Why.self, Watch.self, Cancel.self, Hold.self, Release.self,
            Move.self, Resume.self, Reprint.self, Preview.self, Printers.self, Papers.self, Log.self, Status.self,
            Doctor.self,
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

    /// Ends the program as the parser's error says: help goes to standard output, a mistake is one sentence.
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
