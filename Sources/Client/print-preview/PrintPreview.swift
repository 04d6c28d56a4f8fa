// The program print-preview, which draws documents as they would be printed, for `printq preview`.
//
// The program reads a `PreviewRequest` as one line of JSON from standard input, and writes a line of JSON for each
// `PreviewEvent`. `--spool=FOLDER` names the spool whose registered document types are printable. The program ends when
// its standard input ends; work that is not complete is then canceled, and a temporary folder is removed.

import Dispatch
import DocumentFiles
import FoundationEssentials
import Glibc
import PrintModel
import PrintWork
import SafeFiles

@main
enum PrintPreview {
    static func main() async {
        guard let line = firstLine(), let request = try? JSONDecoder().decode(PreviewRequest.self, from: line) else {
            _ = "print-preview: the request is not valid\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
            exit(EX_USAGE)
        }
        let registered = spool.map { RegisteredTypes(spool: $0) }
        var settings = ConvertingWorkerPool.Settings(programs: programs)
        settings.registry = .builtIn.adding(registered?.types ?? [])
        settings.warm = 0
        let pool = ConvertingWorkerPool(settings)
        let run = PreviewRun(
            request: request, documents: pool, region: region, notices: registered?.errors.map(\.description) ?? [])
        let work = Task { try? await run.run(send) }
        await inputEnd()
        work.cancel()
        await work.value
        if request.isTemporary { try? FileManager.default.removeItem(atPath: request.folder) }
    }

    /// The folder that contains this program, `print-worker` and the converters.
    private static var programs: String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }

    /// The folder of the spool that contains the registered document types (`--spool=FOLDER`); nil without this option.
    private static var spool: String? {
        CommandLine.arguments.first { $0.hasPrefix("--spool=/") }.map { String($0.dropFirst("--spool=".count)) }
    }

    /// The region of the locale.
    ///
    /// The region determines the default paper size: Letter or A4.
    private static var region: String? {
        let names: [String] = ["LC_ALL", "LC_PAPER", "LANG"]
        let value = names.lazy.compactMap { ProcessInfo.processInfo.environment[$0] }.first { !$0.isEmpty }
        return value.flatMap(PrintPaper.region(ofLocale:))
    }

    /// Reads the preview request from standard input.
    private static func firstLine() -> Data? {
        var data: [UInt8] = []
        var byte: UInt8 = 0
        while data.count < 1 << 22 {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return Data(data) }
            data.append(byte)
        }
        return nil
    }

    /// Waits until standard input ends.
    ///
    /// The input ends when the program that requested the preview closes the pipe or exits.
    private static func inputEnd() async {
        // Waiting blocks a thread, so a dedicated thread is used.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "end of input").async {
                var byte: UInt8 = 0
                while true {
                    let count = read(STDIN_FILENO, &byte, 1)
                    if count == 0 || count < 0 && errno != EINTR { return continuation.resume() }
                }
            }
        }
    }

    /// Writes a preview event without buffering, so that printq can show a page while the next page is drawn.
    private static func send(_ event: PreviewEvent) {
        guard var line = try? JSONEncoder().encode(event) else { return }
        line.append(UInt8(ascii: "\n"))
        // If the reader has ended, the standard input ends, too.
        try? FileBytes.write(line, to: STDOUT_FILENO)
    }
}
