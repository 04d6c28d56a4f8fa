// Restores a spool from a backup file, for `printq restore`.

import ArgumentParser
import Glibc
import SpoolBackup

/// A type that restores a spool, and writes messages to the terminal.
///
/// `printd` performs the restoration because `printq` does not contain the database library.
struct Restoration {
    private let folder: String
    private let replaces: Bool

    /// Creates the restoration for the folder of a spool.
    init(of folder: String, replaces: Bool) {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        (self.folder, self.replaces) = (folder, replaces)
    }

    /// Restores the spool, and shows the result.
    ///
    /// - Parameter file: The path of the backup; `-` for standard input.
    func run(_ file: String) async throws {
        let archive = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        guard archive >= 0 else {
            Notice.write("printq: cannot open '\(file)': \(String(cString: strerror(errno)))")
            throw ExitCode(66)
        }
        do throws(BackupError) {
            let result = try await SpoolRestoration(of: folder, replaces: replaces).restore(from: archive)
            print("restored the spool '\(folder)' from a backup of printq \(result.manifest.program)")
            if let replaced = result.replaced { print("the previous spool is in '\(replaced)'") }
            if result.suspendedJobs > 0 {
                let jobs = result.suspendedJobs == 1 ? "1 job is" : "\(result.suspendedJobs) jobs are"
                print(
                    "\(jobs) suspended, because printd might have continued printing after the backup; "
                        + "see 'printq queue'"
                )
            }
            if !result.manifest.hasSecrets {
                print("the backup contains no logins; store the logins again with 'printq printers login'")
            }
        } catch {
            Notice.write("printq: \(error.message)")
            throw ExitCode(Self.exitCode(error.code))
        }
    }

    private static func exitCode(_ code: BackupError.Code) -> Int32 {
        switch code {
        case .invalid, .tooNew: 65
        case .notEmpty: 64
        case .inUse, .noSpace, .busy: 75
        case .file: 74
        }
    }
}
