// Hands on printers that run: `printsim fault`, `clear`, `load`, `replace`, `level`, `power`, `status`.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPServerTLS
import PrintIPP
import SimulatorServer

/// Which printer is meant, and how to reach it.
struct PrinterAddress: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: "The printer's URI, from the line that printsim wrote when it was ready (default: $PRINTSIM_URI).")
    var uri: String?

    @Option(help: "The Unix socket to reach it by, when it is not on TCP.")
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The file with the printer's control token, for a printer on another machine (default: "
                + "$PRINTSIM_CONTROL_TOKEN_FILE).", valueName: "file"))
    var controlTokenFile: String?

    /// The URI that is meant.
    func printer() throws(StartError) -> String {
        guard let uri = uri ?? ProcessInfo.processInfo.environment["PRINTSIM_URI"] else {
            throw .usage("say which printer is meant, with --at URI or in PRINTSIM_URI")
        }
        return uri
    }

    /// A client to its server.
    func client() throws(StartError) -> IPPClient {
        if let socket { return IPPClient(address: .unix(path: Paths.absolute(socket))) }
        return try Self.client(of: try printer())
    }

    /// A client to the server of a printer's URI.
    static func client(of uri: String) throws(StartError) -> IPPClient {
        guard let parts = URL(string: uri), let scheme = parts.scheme,
            ["ipp", "ipps", "http", "https"].contains(scheme),
            let host = parts.host(), !host.isEmpty,
            case let port = parts.port ?? (scheme == "https" ? 443 : 631), (1...65_535).contains(port)
        else { throw .usage("'\(uri)' is no URI of a printer, such as ipp://localhost:8000/ipp/print/color-laser") }
        // An address of version 6 is in brackets in a URI.
        let bare = host.filter { !"[]".contains($0) }
        let tls = scheme.hasSuffix("s") ? try? UncheckedTLS() : nil
        return IPPClient(address: .tcp(host: bare == "localhost" ? "127.0.0.1" : bare, port: port), front: tls?.stand)
    }

    /// A request about the printer.
    func request(_ operation: IPP.Operation, _ attributes: [Attribute] = []) throws(StartError) -> Message {
        Self.request(operation, attributes, at: try printer())
    }

    /// A request about the printer of a URI.
    static func request(_ operation: IPP.Operation, _ attributes: [Attribute], at uri: String) -> Message {
        let user = UserAccounts.name(of: getuid())
        return Message(
            version: .v2_0, operation: operation, requestID: 1,
            groups: [
                .operation(
                    [Attribute("printer-uri", .uri(uri)), Attribute("requesting-user-name", .name(user))] + attributes)
            ])
    }

    /// Sends the words of a command, and prints how the printer is then.
    func care(_ words: [String]) async throws {
        do throws(StartError) {
            let client = try client()
            let request = try request(
                .controlPrinter, [Attribute("printq-care", words.map { .text($0) })] + controlToken())
            let answer = try await Self.answer(of: client, to: request)
            guard answer.status.rawValue < 0x0100, let printer = answer[.printer] else {
                throw .usage(answer[.operation]?.string("status-message") ?? "the printer said \(answer.status)")
            }
            print(Self.line(printer))
        } catch {
            Notice.write("printsim: \(error.description)")
            throw ExitCode(error.exitCode)
        }
    }

    /// The secret that is presented with a command; nothing when there is none.
    private func controlToken() throws(StartError) -> [Attribute] {
        let named = controlTokenFile ?? ProcessInfo.processInfo.environment["PRINTSIM_CONTROL_TOKEN_FILE"]
        guard let file = named, !file.isEmpty else { return [] }
        return [Attribute(ControlToken.attributeName, .text(try ControlToken.read(file).text))]
    }

    /// The answer to one request, after which the connection is closed.
    static func answer(
        of client: IPPClient, to request: Message, path: String = "/"
    ) async throws(StartError) -> Message {
        let result: Result<Message, IPPClientError>
        do throws(IPPClientError) {
            result = .success(try await client.send(request, document: nil, path: path))
        } catch {
            result = .failure(error)
        }
        await client.close()
        switch result {
        case .success(let message): return message
        case .failure(let error): throw .unavailable(error.message)
        }
    }

    private static func line(_ printer: AttributeGroup) -> String {
        let state = [3: "idle", 4: "processing", 5: "stopped"][printer.integer("printer-state") ?? 3] ?? "idle"
        let reasons = printer.keywords("printer-state-reasons").filter { $0 != "none" }
        let because = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        let message = printer.string("printer-state-message") ?? ""
        let words = message.isEmpty ? "" : ": \(message)"
        let below = [("tray", "printq-trays"), ("low", "printq-supplies"), ("fault", "printq-faults")]
            .flatMap { what, name in printer.strings(name).map { "\n  \(what): \($0)" } }
        return "\(printer.string("printer-name") ?? ""): \(state)\(because)\(words)\(below.joined())"
    }
}

struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault", abstract: "Has something go wrong at a printer, such as 'media-jam at page 3'.",
        discussion: "Simulators/README.md has the grammar.")

    @OptionGroup var address: PrinterAddress
    @Argument(parsing: .remaining, help: "What goes wrong, when, and for how long.") var words: [String]

    func run() async throws { try await address.care(["fault"] + words) }
}

struct ClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Ends a fault, such as media-jam, or all of them; one that is not there is an error.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The fault's first word.") var name = "all"

    func run() async throws { try await address.care(["clear", name]) }
}

struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "load", abstract: "Puts paper into a tray.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The tray.") var tray: String
    @Argument(
        help: """
            How many sheets, or millimetres of a roll, are in it then, or endless (default: as many as it takes); their \
            size, such as A4, any for whatever a job asks for, or a roll's width, such as 62mm; and their type, such as \
            stationery.
            """)
    var paper: [String] = []

    func run() async throws { try await address.care(["load", tray] + paper) }
}

struct ReplaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "replace", abstract: "Puts in a full supply.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The supply, such as 'Black toner'.") var supply: String

    func run() async throws { try await address.care(["replace", supply]) }
}

struct LevelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "level", abstract: "Sets how full a supply is.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The supply, such as 'Black toner'.") var supply: String
    @Argument(help: "Per cent.") var percent: Double

    func run() async throws { try await address.care(["level", supply, "\(percent)"]) }
}

struct PowerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power", abstract: "Switches a printer off, on, or off and on.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "on, off or cycle.") var position: String

    func run() async throws { try await address.care(["power", position]) }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Says how a printer is, what is in its trays, and what shall go wrong at it.")

    @OptionGroup var address: PrinterAddress

    func run() async throws { try await address.care(["status"]) }
}
