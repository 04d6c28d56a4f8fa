// Makes backups of the open spool for administrators.

import AsyncPrimitives
import PrintCenter
import PrintSpool
import SpoolBackup
import Synchronization

/// A service that makes backups of a spool, one at a time.
final class BackupService: Sendable {
    private let spool: Spool
    private let settingsFile: String
    private let isBusy = Atomic(false)

    /// Creates the backup service of an open spool.
    ///
    /// - Parameter settingsFile: The path of the settings file in use.
    init(spool: Spool, settingsFile: String) { (self.spool, self.settingsFile) = (spool, settingsFile) }

    /// Copies the database of the spool, and returns a function that sends the backup archive.
    ///
    /// - Throws: `Problem` if a backup is in progress, or the disk has no space for the copy.
    func make(includesSecrets: Bool) async throws -> BackupStream {
        guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else {
            throw Problem.busy("another backup is in progress; try again when that backup is complete")
        }
        let end = End(of: self)
        let archive: BackupArchive
        do throws(SpoolError) {
            archive = try await copy(includesSecrets)
        } catch {
            throw Problem.busy(error.message)
        }
        return { send in
            try await archive.send(send)
            withExtendedLifetime(end) {}
        }
    }

    /// Copies the database on a dedicated thread, because the copy operation blocks.
    private func copy(_ includesSecrets: Bool) async throws(SpoolError) -> BackupArchive {
        try await BlockingThreads.shared.run { [spool, settingsFile] () throws(SpoolError) in
            try BackupArchive(of: spool, settingsFile: settingsFile, includesSecrets: includesSecrets)
        }
    }

    /// An object whose deinitializer ends the backup, even if the client disconnects before the archive is sent.
    private final class End: Sendable {
        private let service: BackupService

        init(of service: BackupService) { self.service = service }

        deinit { service.isBusy.store(false, ordering: .releasing) }
    }
}
