// Commands that control running printers: `fault`, `clear`, `load`, `replace`, `level`, `power`, `delete`, `status`.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPServerTLS
import PrintIPP
import SpoolerClient
import SimulatorServer

struct PrinterAddress: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: "The printer's URI, from the first line that printsim writes (default: $PRINTSIM_URI).")
    var uri: String?

    @Option(help: "The Unix socket of printsim, if printsim does not listen on TCP.")
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The file with the printer's control token, for a printer on another machine (default: "
                + "$PRINTSIM_CONTROL_TOKEN_FILE).", valueName: "file"))
    var controlTokenFile: String?

    @Flag(help: "Writes JSON with IPP names.")
    var json = false

    func printer() throws(StartError) -> String {
        guard let uri = uri ?? ProcessInfo.processInfo.environment["PRINTSIM_URI"] else {
            throw .usage("no printer given; use --at URI or set PRINTSIM_URI")
        }
        return uri
    }

    func client() throws(StartError) -> IPPClient {
        if let socket { return IPPClient(address: .unix(path: Paths.absolute(socket))) }
        return try Self.client(of: try printer())
    }

    static func client(of uri: String) throws(StartError) -> IPPClient {
        guard let parts = URL(string: uri), let scheme = parts.scheme,
            ["ipp", "ipps", "http", "https"].contains(scheme),
            let host = parts.host(), !host.isEmpty,
            case let port = parts.port ?? (scheme == "https" ? 443 : 631), (1...65_535).contains(port)
        else { throw .usage("invalid printer URI '\(uri)'; an example is ipp://localhost/ipp/print/roll") }
        // A URI encloses an IPv6 address in brackets.
        let bare = host.filter { !"[]".contains($0) }
        let tls = scheme.hasSuffix("s") ? try? UncheckedTLS() : nil
        return IPPClient(
            address: .tcp(host: bare == "localhost" ? "127.0.0.1" : bare, port: port), channelSetup: tls?.stand)
    }

    func request(_ operation: IPP.Operation, _ attributes: [Attribute] = []) throws(StartError) -> Message {
        Self.request(operation, attributes, at: try printer())
    }

    static func request(_ operation: IPP.Operation, _ attributes: [Attribute], at uri: String) -> Message {
        let user = UserAccounts.name(of: getuid())
        return Message(
            version: .v2_0, operation: operation, requestID: 1,
            groups: [
                .operation(
                    [Attribute("printer-uri", .uri(uri)), Attribute("requesting-user-name", .name(user))] + attributes)
            ])
    }

    func control(_ words: [String]) async throws {
        do throws(StartError) {
            let client = try client()
            let request = try request(
                .controlPrinter, [Attribute("printq-control", words.map { .text($0) })] + controlToken())
            let answer = try await Self.answer(of: client, to: request)
            guard answer.status.rawValue < 0x0100, let printer = answer[.printer] else {
                throw .usage(answer[.operation]?.string("status-message") ?? "refused with \(answer.status)")
            }
            Notice.print(json ? JSONText(printer.attributes).text : Self.line(printer))
        } catch {
            Notice.write("printsim: \(error.description)")
            throw ExitCode(error.exitCode)
        }
    }

    func invite() async throws {
        do throws(StartError) {
            let request = try request(.controlPrinter, [Attribute("printq-control", .text("center"))])
            let answer = try await Self.answer(of: try client(), to: request)
            guard answer.status.rawValue < 0x0100, let address = answer[.printer]?.string("printq-center-uri") else {
                throw .usage(answer[.operation]?.string("status-message") ?? "refused with \(answer.status)")
            }
            Notice.print(json ? JSONText.object([("printq-center-uri", .string(address))]).text : address)
        } catch {
            Notice.write("printsim: \(error.description)")
            throw ExitCode(error.exitCode)
        }
    }

    private func controlToken() throws(StartError) -> [Attribute] {
        let named = controlTokenFile ?? ProcessInfo.processInfo.environment["PRINTSIM_CONTROL_TOKEN_FILE"]
        guard let file = named, !file.isEmpty else { return [] }
        return [Attribute(ControlToken.attributeName, .text(try ControlToken.read(file).text))]
    }

    /// Sends one request, closes the connection, and returns the printer's response.
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

    static func line(_ printer: AttributeGroup) -> String {
        let state = [3: "idle", 4: "processing", 5: "stopped"][printer.integer("printer-state") ?? 3] ?? "idle"
        let reasons = printer.keywords("printer-state-reasons").filter { $0 != "none" }
        let because = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        let message = printer.string("printer-state-message") ?? ""
        let suffix = message.isEmpty ? "" : ": \(message)"
        let below = [("tray", "printq-trays"), ("low", "printq-supplies"), ("fault", "printq-faults")]
            .flatMap { what, name in printer.strings(name).map { "\n  \(what): \($0)" } }
        return "\(printer.string("printer-name") ?? ""): \(state)\(because)\(suffix)\(below.joined())"
    }
}

struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault", abstract: "Inject a fault, such as 'media-jam at page 3'.",
        discussion: "Simulators/README.md describes the syntax.")

    @OptionGroup var address: PrinterAddress
    @Argument(parsing: .remaining, help: "The fault, its start condition and its duration.") var words: [String]

    func run() async throws { try await address.control(["fault"] + words) }
}

struct ClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Clear a fault, such as media-jam, or all faults.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The fault's name, or all.") var name = "all"

    func run() async throws { try await address.control(["clear", name]) }
}

struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "load", abstract: "Load paper into a tray.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The tray.") var tray: String
    @Argument(
        help: """
            The amount in the tray afterwards: a number of sheets, the millimeters of a roll, or endless (default: a \
            full tray); the size, such as A4, the width of a roll, such as 62mm, or any (the tray supplies every \
            requested size); and the type, such as stationery.
            """)
    var paper: [String] = []

    func run() async throws { try await address.control(["load", tray] + paper) }
}

struct ReplaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "replace", abstract: "Replace a supply.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The supply, such as 'Black toner'.") var supply: String

    func run() async throws { try await address.control(["replace", supply]) }
}

struct LevelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "level", abstract: "Set the level of a supply.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The supply, such as 'Black toner'.") var supply: String
    @Argument(help: "The level in percent.") var percent: Double

    func run() async throws { try await address.control(["level", supply, "\(percent)"]) }
}

struct PowerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power", abstract: "Switch a printer on or off, or restart it.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The power command: on, off or cycle.") var position: String

    func run() async throws { try await address.control(["power", position]) }
}

struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete ended jobs with their documents and pages.")

    @OptionGroup var address: PrinterAddress
    @Argument(help: "The job number, or all.") var job: String

    func validate() throws {
        guard job == "all" || Int(job).map({ $0 > 0 }) == true else {
            throw ValidationError("invalid value '\(job)'; expected a job number or all")
        }
    }

    func run() async throws { try await address.control(["delete", job]) }
}

struct CenterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "center", abstract: "Show a one-time address of the Print Center for a browser.",
        discussion: """
            The Print Center shows and controls the printers. The address signs in one browser and expires after ten \
            minutes. Only the user who runs printsim gets an address.
            """)

    @OptionGroup var address: PrinterAddress

    func run() async throws { try await address.invite() }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state, trays and faults of a printer.")

    @OptionGroup var address: PrinterAddress

    func run() async throws { try await address.control(["status"]) }
}
