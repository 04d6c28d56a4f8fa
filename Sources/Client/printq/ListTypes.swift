// The command `printq types`, which lists the document types that can be printed.

import ArgumentParser
import PrintqOutput
import SpoolerClient

struct Types: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "List the document types that can be printed, and their converters.",
        discussion: """
            A type whose converter is not installed is listed with the Debian package to install. Administrators \
            register further types in the folder 'types' of the spool.
            """)

    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let types = DocumentTypeList(try await session.spooler.printer(nil, DocumentTypeList.attributeNames))
        if output.json { return StandardOutput.print(types.json) }
        StandardOutput.print(types.table, whenEmpty: "printd reports no document types")
    }
}
