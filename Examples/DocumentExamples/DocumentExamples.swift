// Both sides of Open In: a program that opens a document in another application, and an application that is opened.
//
//     swift run DocumentExamples --applications report.ics     the type, and the applications that open the document
//     swift run DocumentExamples --open report.ics             opens the document in the first of these applications
//     swift run DocumentExamples report.ics                    what an application receives
//     swift run DocumentExamples --serve=com.acme.Viewer       the same over the session bus, until a signal
//
// `--log=FILE` appends the received documents to a file, because an application of the desktop has no terminal.

import DocumentInteraction
import FoundationEssentials
import Glibc

@main
struct DocumentExamples {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        func value(_ option: String) -> String? {
            arguments.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
        }
        do {
            if let id = value("--serve") {
                let requests = try await OpenRequests(application: id)
                for await document in requests.documents { try report(document, to: value("--log")) }
            } else if let document = OpenedDocument.fromArguments() {
                if arguments.contains("--applications") {
                    list(document.url)
                } else if arguments.contains("--open") {
                    try await open(document.url)
                } else {
                    try report(document, to: value("--log"))
                }
            } else {
                write("usage: DocumentExamples [--applications | --open | --log=FILE] DOCUMENT\n", to: STDERR_FILENO)
                exit(EX_USAGE)
            }
        } catch {
            write("DocumentExamples: \(error)\n", to: STDERR_FILENO)
            exit(EXIT_FAILURE)
        }
    }

    private static func list(_ url: URL) {
        let controller = DocumentInteractionController(url: url)
        write("\(controller.typeName ?? "unknown type") (\(controller.uti ?? "no identifier"))\n", to: STDOUT_FILENO)
        for application in controller.applications {
            write("\(application.name), \(application.rank)\n", to: STDOUT_FILENO)
        }
    }

    private static func open(_ url: URL) async throws(PrintError) {
        guard let application = DocumentInteractionController(url: url).applications.first else {
            throw PrintError(.jobFailed, "no application opens '\(url.lastPathComponent)'; install an application")
        }
        try await application.open(url, annotation: ["page": 3])
    }

    private static func report(_ document: OpenedDocument, to log: String?) throws {
        let page = try document.annotation(as: [String: Int].self)?["page"]
        let line = "\(document.url.path), from \(document.sourceApplication ?? "?"), page \(page ?? 0)\n"
        guard let log else { return write(line, to: STDOUT_FILENO) }
        let file = Glibc.open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        write(line, to: file)
    }

    private static func write(_ text: String, to file: Int32) {
        var text = text
        text.withUTF8 { _ = Glibc.write(file, $0.baseAddress, $0.count) }
    }
}
