// The commands `printq printers allow` and `deny`, which set who may print on a printer, see it, and manage it.

public import ArgumentParser
public import PrintModel
import PrintqOutput
import SpoolerClient

extension Printers {
    /// The arguments of the commands that set a list of users and a list of networks.
    struct PolicyChange: ParsableArguments {
        @Argument(help: "The printer.", completion: .printers)
        var name: String
        @Argument(help: "The users; a name with @ in front is a group.")
        var users: [String] = []
        @Option(
            help: ArgumentHelp(
                "A network of clients, such as 192.0.2.0/24, or 'all' or 'none'; repeatable.", valueName: "network"))
        var network: [String] = []
        @Option(
            help: ArgumentHelp(
                "submit: print; look: see the printer and the jobs of others; manage: pause the printer, and see and "
                    + "change all its jobs.", valueName: "right"))
        var to = PrinterRight.submit
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        mutating func validate() throws {
            guard users.isEmpty, network.isEmpty else { return }
            throw ValidationError("name users, or networks with --network")
        }

        /// Sets the lists that are given, and shows them.
        func apply(_ list: ([String]) -> AccessList) async throws {
            let queue = try session.spooler
            let name = try PrinterName.checked(name)
            let lists = [PolicyList(to, .users): users, PolicyList(to, .networks): network].filter { !$0.value.isEmpty }
            var change = PrinterChange()
            change.policyLists = lists.mapValues(list)
            try await queue.changePrinter(name, change)
            if output.json { return try await session.printJSON(ofPrinter: name) }
            let policy = PrinterView(try await queue.printer(name, PrinterView.attributeNames)).policy
            for list in PolicyList.allCases where lists[list] != nil {
                StandardOutput.print("\(list.text(policy[list], printer: name))\n")
            }
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Allow only some users or networks to print on a printer, to see or to manage it.",
            discussion: """
                'all' allows everybody, 'none' allows nobody. A client needs both: its user and its network. This \
                machine is in all networks. Administrators see and manage all printers.
                """)
        @OptionGroup var change: PolicyChange

        func run() async throws { try await change.apply { AccessList(allowing: $0) } }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deny",
            abstract: "Prevent some users or networks from printing on a printer, or from seeing it.",
            discussion: "'all' denies everybody, 'none' denies nobody.")
        @OptionGroup var change: PolicyChange

        func run() async throws { try await change.apply { AccessList(denying: $0) } }
    }
}

extension PrinterRight: ExpressibleByArgument {}
