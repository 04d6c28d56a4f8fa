// The command `printq doctor`, which checks the spooler and its printers.

import ArgumentParser
import IPP
import PrintqOutput
import SpoolerClient

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the spooler, its tools and its printers.",
        discussion: "Exits with code 1 if a check finds an error.")

    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        var lines: [String] = []
        if try !session.daemon.answers() {
            lines.append("warning: printd was not running, so printq started printd")
        }
        do throws(SpoolerClientError) {
            lines += try await session.spooler.printer(nil, ["printq-doctor"]).strings("printq-doctor")
        } catch {
            lines.append("error: \(error.message)")
            show(lines)
            throw error
        }
        show(lines)
        let errors = lines.filter { $0.hasPrefix("error:") }.count
        if errors > 0 {
            throw SpoolerClientError(
                .notDone, "\(errors == 1 ? "1 check" : "\(errors) checks") failed; see above")
        }
    }

    private func show(_ lines: [String]) {
        StandardOutput.print(
            output.json
                ? JSONText.object([("printq-doctor", .strings(lines))]).text + "\n"
                : lines.map { $0.printable + "\n" }.joined())
    }
}
