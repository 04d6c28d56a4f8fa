// The command `printq users`, which lists, adds and removes the users on the network, and sets their passwords.

import ArgumentParser
import PrintModel
import PrintqOutput
import SpoolerClient

struct Users: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List, add and remove the users on the network.",
        discussion: """
            A user on the network (see 'printq network') prints with a name and a password of printq, which lp and other \
            IPP clients ask for. Programs use tokens instead (see 'printq tokens'). Only administrators on the print \
            server can manage users.
            """,
        subcommands: [List.self, Add.self, SetPassword.self, Remove.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the users.")
        @OptionGroup var choices: ListChoice

        func run() async throws {
            let users = try await choices.spooler.users()
            if choices.json { return StandardOutput.print(NetworkUser.json(of: users)) }
            StandardOutput.print(
                NetworkUser.table(of: users, now: Session.now, times: TimeStyle.chosen(absolute: choices.absolute)),
                whenEmpty: "there are no users on the network; 'printq users add' adds one",
                isStyled: choices.color.isStyled)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a user with a password.",
            discussion: """
                On a terminal, the command prompts for the password twice and does not echo it. Otherwise the password \
                is the first line of standard input. The spool stores a yescrypt hash of the password.

                  printq users add anna
                """)
        @Argument(help: "The name, which is also the owner of the user's jobs.")
        var name: String
        @Option(help: "look: printers and the queue; submit: also the user's jobs; manage: as an administrator.")
        var scope = AccessToken.Scope.submit
        @Flag(
            help: """
                The user is the person who owns the jobs of this name already: a local user, a removed user, or the user \
                of a token. Without this option, such a name is refused.
                """)
        var samePerson = false
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let name = try Users.checked(name)
            let queue = try session.spooler
            let change = UserChange.add(
                name: name, scope: scope, password: try Users.newPassword(of: name), isSamePerson: samePerson)
            try Users.show(try await queue.changeUsers(change), "added the user '\(name)'", output)
        }
    }

    struct SetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "password",
            abstract: "Set the password of a user: the old password is refused from now on.",
            discussion: "The command reads the password as 'printq users add' does.")
        @Argument(help: "The user (see 'printq users').")
        var name: String
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let name = try Users.checked(name)
            let queue = try session.spooler
            let users = try await queue.changeUsers(.setPassword(name: name, try Users.newPassword(of: name)))
            try Users.show(users, "set the password of '\(name)'", output)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a user: requests of the user are refused from now on.",
            discussion: "The jobs of the user keep their owner. The tokens of the user remain (see 'printq tokens').")
        @Argument(help: "The user (see 'printq users').")
        var name: String
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let name = try Users.checked(name)
            try Users.show(
                try await session.spooler.changeUsers(.remove(name: name)), "removed the user '\(name)'", output)
        }
    }

    private static func show(_ users: [NetworkUser], _ sentence: String, _ output: OutputChoice) throws {
        if output.json { return StandardOutput.print(NetworkUser.json(of: users)) }
        StandardOutput.print(sentence + "\n")
    }

    private static func checked(_ name: String) throws(SpoolerClientError) -> String {
        guard NetworkUser.isValidName(name) else {
            throw SpoolerClientError(
                .usage,
                "invalid user name '\(name.printable)': must have 1 to 100 letters, digits, '-', '_', '.' or '@', and "
                    + "not be 'anonymous' or 'uid-NUMBER'")
        }
        return name
    }

    private static func newPassword(of name: String) throws(SpoolerClientError) -> UserPassword {
        let text = try Password.readNew(prompt: "New password of \(name): ", longest: UserPassword.mostBytes)
        guard let password = UserPassword(text) else {
            throw SpoolerClientError(
                .usage,
                "invalid password: must have at least \(UserPassword.fewestCharacters) characters, at most "
                    + "\(UserPassword.mostBytes) bytes and no control characters")
        }
        return password
    }
}
