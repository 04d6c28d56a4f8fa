// The commands `printq backup` and `printq restore`.

import ArgumentParser
import Glibc
import IPPClient
import PrintqOutput
import SafeFiles
import SpoolerClient

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save the queue, its documents, the printers and the settings in a file.",
        discussion: """
            printd continues to print during the backup. The file is a tar archive that only its owner can read. The \
            archive contains documents of all users, so only administrators can make a backup. If root or the user of \
            printd makes the backup, the archive also contains the logins at printers and the private key for TLS.

              printq backup /backup/printq.tar
              printq backup - | zstd > printq.tar.zst
            """)

    @Argument(help: "The new file; '-' for standard output.")
    var file: String

    @Flag(help: "Replaces an existing file.")
    var force = false

    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if output.json, file == "-" { throw ValidationError("--json cannot be combined with '-'") }
    }

    func run() async throws {
        let place = try session.place
        if file == "-", isatty(STDOUT_FILENO) == 1 {
            throw SpoolerClientError(.usage, "cannot write a backup to a terminal; redirect standard output to a file")
        }
        if file != "-", !force, access(file, F_OK) == 0 {
            throw SpoolerClientError(.output, "'\(file)' already exists; use --force to replace the file")
        }
        try session.daemon.start()
        guard file != "-" else { return try await fetch(from: place, into: STDOUT_FILENO) }
        let new = try NewFile.temporary(for: file)
        try await fetch(from: place, into: new.descriptor)
        try Self.checkEnd(of: new.descriptor)
        try new.finish(sync: .content, replaces: force)
        var status = stat()
        let bytes = stat(file, &status) == 0 ? Int(status.st_size) : 0
        if output.json { return StandardOutput.print(.object([("file", .string(file)), ("bytes", .number(bytes))])) }
        StandardOutput.print("saved the spool in '\(file.printable)' (\((bytes + 1023) / 1024) KiB)\n")
    }

    private func fetch(from place: SpoolLocation, into descriptor: Int32) async throws(SpoolerClientError) {
        do throws(HTTPDownloadError) {
            try await HTTPDownload(fromSocket: place.socket).fetch("/api/v1/backup", into: descriptor)
        } catch {
            let code: SpoolerClientError.Code =
                switch error.code {
                case .unreachable: .unavailable
                case .refused(403), .refused(401): .noPermission
                case .refused(404), .refused(405): .unavailable
                case .refused, .incomplete: .temporary
                case .unwritable: .output
                }
            throw SpoolerClientError(code, "cannot make the backup: \(error.message.printable)", cause: error)
        }
    }

    /// Checks that the archive ends with two blocks of zeros.
    private static func checkEnd(of descriptor: Int32) throws(SpoolerClientError) {
        var end = [UInt8](repeating: 1, count: 1024)
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 1024, pread(descriptor, &end, 1024, size - 1024) == 1024, end.allSatisfy({ $0 == 0 }) else {
            throw SpoolerClientError(.temporary, "cannot make the backup: the archive is incomplete; try again")
        }
    }

    private static func failure(_ file: String) -> SpoolerClientError {
        SpoolerClientError(.output, "cannot write '\(file.printable)': \(String(cString: strerror(errno)))")
    }
}

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the queue, its documents, the printers and the settings from a backup.",
        discussion: """
            printd must not run. The whole backup is checked before anything changes. Unfinished jobs \
            are suspended, because they may have been printed since the backup; 'printq queue' lists these jobs, \
            and 'printq resume' prints them. Restore only backups that you trust: a backup contains settings and \
            programs for document types.

              printq restore /backup/printq.tar
              zstd -dc printq.tar.zst | printq restore -
            """)

    @Argument(help: "The backup; '-' for standard input.")
    var file: String

    @Flag(help: "Renames the folder of an existing spool before the restore.")
    var force = false

    @OptionGroup var session: Session

    func run() throws {
        // printd contains the database.
        try session.becomePrintd(["--restore=\(file)"] + (force ? ["--force"] : []))
    }
}
