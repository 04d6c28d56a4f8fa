// The command `printq tokens`, which lists, creates and revokes the tokens of clients on the network.

public import ArgumentParser
public import PrintModel
import PrintqOutput
import SpoolerClient

struct Tokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "List, create and revoke the tokens of clients on the network.",
        discussion: """
            A client on the network (see 'printq network') proves its identity with a token: as the password of lp and \
            other IPP clients, with any user name, or as a bearer token (Authorization: Bearer). Only administrators on \
            the print server can manage tokens.
            """,
        subcommands: [List.self, Create.self, Revoke.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens.")
        @OptionGroup var choices: ListChoice

        func run() async throws {
            let tokens = try await choices.spooler.tokens()
            if choices.json { return StandardOutput.print(AccessToken.json(of: tokens)) }
            StandardOutput.print(
                AccessToken.table(
                    of: tokens, now: Session.now, times: TimeStyle.chosen(absolute: choices.absolute)),
                whenEmpty: "there are no tokens; 'printq tokens create' creates one", isStyled: choices.color.isStyled)
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token, and show its secret.",
            discussion: """
                The secret is shown once. The spool stores only its digest.

                  printq tokens create ci --user ci --expires 90d
                  printq tokens create lab --printer office --printer photo
                  printq tokens create cups-server --for-others
                """)
        @Argument(help: "The name of the token, which says where it is used.")
        var name: String
        @Option(
            help: ArgumentHelp("The owner of the jobs (default: the name of the token).", valueName: "name"))
        var user: String?
        @Option(help: "look: printers and the queue; submit: also the user's jobs; manage: as an administrator.")
        var scope = AccessToken.Scope.submit
        @Option(
            help: ArgumentHelp(
                "A printer that the token reaches; repeatable (default: all printers).", valueName: "name"),
            completion: .printers)
        var printer: [String] = []
        @Flag(help: "The client, such as a print server, submits for the users whom it names.")
        var forOthers = false
        @Option(
            help: ArgumentHelp("The time until the token expires: a number with d, h or m.", valueName: "time"),
            transform: lifetime)
        var expires: Double?
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            guard AccessToken.isValidName(name) else {
                throw SpoolerClientError(
                    .usage, "a token's name has 1 to 100 letters, digits, '-', '_' or '.'")
            }
            guard !forOthers || scope == .submit else {
                throw SpoolerClientError(.usage, "--for-others requires the scope submit")
            }
            let change = TokenChange.create(
                name: name, user: user ?? name, scope: scope, printers: try printer.map(PrinterName.checked),
                actsForOthers: forOthers, lifetime: expires)
            let (tokens, secret) = try await session.spooler.changeTokens(change)
            guard let secret, let token = tokens.first(where: { $0.name == name }) else {
                throw SpoolerClientError(.badAnswer, "printd returned no token; see 'printq doctor'")
            }
            if output.json {
                return StandardOutput.print(
                    JSONText.object([("printq-token-name", .string(token.name)), ("printq-token", .string(secret))]))
            }
            StandardOutput.print("\(secret)\n")
            StandardOutput.complain(
                "Token '\(token.name)' of \(token.user.printable) may \(token.scope.rawValue)"
                    + (token.printers.isEmpty ? ". " : " at \(token.printers.joined(separator: ", ")). ")
                    + "Keep the secret: it is not shown again.")
        }

        /// Returns the seconds of a time such as `90d`, `12h` or `30m`.
        private static func lifetime(_ text: String) throws -> Double {
            let units: [Character: Double] = ["d": 86_400, "h": 3600, "m": 60]
            guard let unit = text.last.flatMap({ units[$0] }), let count = Int32(text.dropLast()), count > 0,
                Double(count) * unit <= Double(Int32.max)
            else { throw ValidationError("'\(text.printable)' is no time; use a number with d, h or m, such as 90d") }
            return Double(count) * unit
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke a token: requests with it are refused from now on.")
        @Argument(help: "The name of the token (see 'printq tokens').")
        var name: String
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let (tokens, _) = try await session.spooler.changeTokens(.revoke(name: name))
            if output.json { return StandardOutput.print(AccessToken.json(of: tokens)) }
            StandardOutput.print("revoked the token '\(name.printable)'\n")
        }
    }
}

extension AccessToken.Scope: ExpressibleByArgument {}
