// The command `printq center`, which opens the Print Center.

import ArgumentParser
import PrintqOutput
import SpoolerClient

struct Center: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "center",
        abstract: "Open the Print Center in a browser, or on the terminal.",
        discussion: """
            Shows an address that signs you in, and opens the address in your desktop's browser. The address works \
            once, for 60 seconds, and only for your own processes. If printd has no TCP port, printd opens a port of the \
            loopback interface, and closes the port when the last user has signed out.

            With --terminal, shows the queue and the selected job on the whole screen of the terminal, and follows all \
            changes. Press ? for the keys. With --json, shows only the address.
            """)

    @Flag(help: "Shows the Print Center on the terminal.")
    var terminal = false
    @Flag(help: "Shows the address without opening a browser.")
    var print = false
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if terminal, print { throw ValidationError("--terminal cannot be combined with --print") }
        if terminal, output.json { throw ValidationError("--terminal cannot be combined with --json") }
    }

    func run() async throws {
        if terminal { return try await CenterTerminal(session: session).run() }
        let address: String
        do throws(SpoolerClientError) {
            address = try await session.spooler.centerAddress()
        } catch {
            if opensBrowser { DesktopNotification.showWithoutTerminal(error.message) }
            throw error
        }
        if output.json { return StandardOutput.print(.object([("printq-center-uri", .string(address))])) }
        StandardOutput.print("\(address)\n")
        guard opensBrowser, let problem = DesktopBrowser.open(address) else { return }
        StandardOutput.complain(problem)
        DesktopNotification.showWithoutTerminal(problem)
    }

    private var opensBrowser: Bool { !print && !output.json }
}
