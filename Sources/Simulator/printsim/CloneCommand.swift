// `printsim clone`: a printer's file made of what a real printer says of itself.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import IPPClient
import SimulatorServer

struct CloneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone", abstract: "Writes the file of a simulated printer that is like a real one.",
        discussion: """
            The printer is asked for all its attributes, or they are read from what 'ipptool -tv URI \
            get-printer-attributes.test' wrote. The file is written to standard output; saved as NAME.json5, 'printsim NAME \
            --simulators FOLDER' serves it. What a simulated printer does not play stands in comments at its end.
            """)

    @Argument(
        help: "The printer's URI, such as ipp://printer.local/ipp/print; of ipps, the certificate is not checked.")
    var uri: String?
    @Option(help: "A file with what 'ipptool -tv' wrote, or - for standard input.") var dump: String?
    @Option(help: "What the simulated printer is called (default: as the printer is).") var name: String?

    func validate() throws {
        guard (uri == nil) != (dump == nil) else {
            throw ValidationError("name either a printer's URI or a --dump of 'ipptool -tv'")
        }
        if let name, !Self.isName(name) {
            throw ValidationError("--name takes letters, digits, '-', '_' and '.', not '\(name)'")
        }
    }

    func run() async throws {
        Notice.prepare()
        do throws(StartError) {
            let attributes = if let dump { try Self.read(dump) } else { try await Self.ask(uri ?? "") }
            let source = uri ?? (dump == "-" ? "standard input" : dump ?? "")
            do throws(PrinterClone.Failure) {
                let clone = try PrinterClone(of: attributes, source: source, name: name)
                print(clone.text, terminator: "")
                if !clone.notes.isEmpty {
                    let count = clone.notes.count
                    Notice.write(
                        "printsim: \(count) thing\(count == 1 ? "" : "s") that a simulated printer does not play "
                            + "\(count == 1 ? "stands" : "stand") at the end of the file")
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

    /// What a printer answers to Get-Printer-Attributes.
    private static func ask(_ uri: String) async throws(StartError) -> AttributeGroup {
        let client = try PrinterAddress.client(of: uri)
        let request = PrinterAddress.request(
            .getPrinterAttributes,
            [Attribute("requested-attributes", PrinterClone.requestedAttributes.map { .keyword($0) })], at: uri)
        let path = uri.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).joined(separator: "/")
        let answer = try await PrinterAddress.answer(of: client, to: request, path: "/\(path)")
        guard answer.status.rawValue < 0x0100, let printer = answer[.printer] else {
            let words = answer[.operation]?.string("status-message").map { ": \($0)" } ?? ""
            throw .unavailable("'\(uri)' does not tell its attributes: \(answer.status)\(words)")
        }
        return printer
    }

    /// What a file, or standard input, has of a printer's attributes.
    private static func read(_ path: String) throws(StartError) -> AttributeGroup {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else {
            throw .noInput("'\(path)' cannot be read: \(String(cString: strerror(errno)))")
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
                    "\(path == "-" ? "standard input" : "'\(path)'") has no attributes; it should be what 'ipptool -tv URI get-printer-attributes.test' "
                    + "wrote", exitCode: EX_DATAERR)
        }
        return attributes
    }
}
