// Shared code of the printing examples: the destination, and errors.

import Glibc
public import PrintKit
import PrintSubmission

/// Runs a printing example with a printer of the spooler (`--printer NAME`), a PDF file or a folder as destination.
///
/// An error is printed as one line on standard error, and the exit code is 1. The exit code is 64 if the command line
/// contains no printer and no file.
///
/// - Parameters:
///   - usage: The command line of the example, for people.
///   - arguments: `--printer NAME` or a path, followed by arguments for the example.
///   - print: The example. It finds the printer with `printInfo.printerID`, and receives the remaining arguments.
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

/// Returns the shared controller with the destination from the command line; nil if there is no destination.
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
        // A path that is not a folder is the path of the file.
        controller.destination = PDFFileDestination(folder: first)
    }
    return controller
}

/// Prints a message and exits.
public func end(_ words: String, code: Int32) -> Never {
    var line = words + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(code)
}
