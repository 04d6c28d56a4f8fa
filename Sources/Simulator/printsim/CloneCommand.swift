// `printsim clone`: creates a printer file from the attributes of a real printer.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import IPPClient
import SimulatorServer

struct CloneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone", abstract: "Create a simulated printer from a real printer.",
        discussion: """
            printsim requests all attributes of the printer, or reads them from the output of 'ipptool -tv URI \
            get-printer-attributes.test'. It writes the printer file to standard output. Save the file as NAME.json5, \
            and serve it with 'printsim NAME --simulators FOLDER'. Comments at the end of the file list the features \
            that a simulated printer does not support.
            """)

    @Argument(
        help: "The printer's URI, such as ipp://printer.local/ipp/print; an ipps certificate is not verified.")
    var uri: String?
    @Option(help: "A file with the output of 'ipptool -tv', or - for standard input.") var dump: String?
    @Option(help: "The simulated printer's name (default: the real printer's name).") var name: String?

    func validate() throws {
        guard (uri == nil) != (dump == nil) else {
            throw ValidationError(
                "give either a printer's URI, or --dump with a file that contains the output of 'ipptool -tv'")
        }
        if let name, !Self.isName(name) {
            throw ValidationError("invalid value '\(name)' for --name; expected letters, digits, '-', '_' and '.'")
        }
    }

    func run() async throws {
        Notice.prepare()
        do throws(StartError) {
            let attributes = if let dump { try Self.read(dump) } else { try await Self.ask(uri ?? "") }
            let source = uri ?? (dump == "-" ? "standard input" : dump ?? "")
            do throws(PrinterClone.Failure) {
                let clone = try PrinterClone(of: attributes, source: source, name: name)
                Notice.print(clone.text, terminator: "")
                if !clone.notes.isEmpty {
                    let count = clone.notes.count
                    Notice.write(
                        "printsim: \(count) feature\(count == 1 ? "" : "s") of the printer cannot be simulated; "
                            + "see the comments at the end of the printer file")
                }
            } catch {
                throw StartError(description: error.description, exitCode: EX_DATAERR)
            }
        } catch {
            Notice.write("printsim: \(error.description)")
            throw ExitCode(error.exitCode)
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.first.map { $0.isASCII && ($0.isLetter || $0.isNumber) } == true && name.utf8.count <= 127
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    private static func ask(_ uri: String) async throws(StartError) -> AttributeGroup {
        let client = try PrinterAddress.client(of: uri)
        let request = PrinterAddress.request(
            .getPrinterAttributes,
            [Attribute("requested-attributes", PrinterClone.requestedAttributes.map { .keyword($0) })], at: uri)
        let path = uri.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).joined(separator: "/")
        let answer = try await PrinterAddress.answer(of: client, to: request, path: "/\(path)")
        guard answer.status.rawValue < 0x0100, let printer = answer[.printer] else {
            let message = answer[.operation]?.string("status-message").map { ": \($0)" } ?? ""
            throw .unavailable("cannot get the attributes of '\(uri)': \(answer.status)\(message)")
        }
        return printer
    }

    private static func read(_ path: String) throws(StartError) -> AttributeGroup {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else {
            throw .noInput("cannot read '\(path)': \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer[..<count]
            guard bytes.count <= 64 << 20 else { throw .noInput("'\(path)' is larger than 64 MiB") }
        }
        let attributes = IPPToolDump(String(decoding: bytes, as: UTF8.self)).attributes
        guard !attributes.attributes.isEmpty else {
            throw StartError(
                description:
                    "\(path == "-" ? "standard input" : "'\(path)'") has no attributes; expected the output of "
                    + "'ipptool -tv URI get-printer-attributes.test'", exitCode: EX_DATAERR)
        }
        return attributes
    }
}
