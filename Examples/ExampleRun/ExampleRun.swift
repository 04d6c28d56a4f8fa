// What the printing examples share: where they print to, and how they end when something is wrong.

import Glibc
public import PrintKit
import PrintSubmission

/// Runs a printing example: on a printer of the spooler (`--printer NAME`), else into a PDF file or a folder.
///
/// What the example throws is one line on standard error, and the exit code is 1; it is 64 for a command line that says
/// no printer and no file.
///
/// - Parameters:
///   - usage: The example's command line for people, without its `--printer NAME | OUTPUT`.
///   - arguments: `--printer NAME` or a path, and what else the example takes.
///   - print: The example; it finds the printer by `printInfo.printerID`, and gets the arguments that are left.
@MainActor
public func runExample(
    _ usage: String, _ arguments: some Sequence<String>,
    _ print: @MainActor (PrintInteractionController, [String]) async throws -> Void
) async {
    var rest = Array(arguments)
    guard let controller = makeController(&rest) else {
        end("usage: \(usage)", code: EX_USAGE)
    }
    do {
        try await print(controller, rest)
    } catch {
        let words = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
        end("\(CommandLine.arguments[0].split(separator: "/").last ?? ""): \(words)", code: EXIT_FAILURE)
    }
}

/// The main actor's controller, made ready for where the command line says; nil when it does not.
@MainActor private func makeController(_ arguments: inout [String]) -> PrintInteractionController? {
    let controller = PrintInteractionController.shared
    guard let first = arguments.first, !first.isEmpty else { return nil }
    arguments.removeFirst()
    if first == "--printer" {
        guard let name = arguments.first, !name.isEmpty else { return nil }
        arguments.removeFirst()
        controller.destination = SpoolerDestination()
        controller.printInfo.printerID = name
    } else {
        guard !first.hasPrefix("-") else { return nil }
        // A path that is no folder is the file itself.
        controller.destination = PDFFileDestination(folder: first)
    }
    return controller
}

/// Says why, and ends the program.
public func end(_ words: String, code: Int32) -> Never {
    var line = words + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(code)
}
