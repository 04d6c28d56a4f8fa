// Stores the records and tokens of the jobs in a printer's folder.

import FoundationEssentials
import Glibc
import PrintModel

extension FolderFiles {
    /// The maximum size of a record in bytes.
    ///
    /// The job's name and the owner's name each have at most about a thousand bytes.
    private static let mostRecordBytes = 1 << 20

    private func recordName(_ uuid: String) -> String { "\(uuid).json" }
    private func tokenName(_ uuid: String) -> String { "\(uuid).open" }

    /// Returns the record of a job; nil if the job has no record.
    func record(of uuid: String) throws(BackendError) -> FolderRecord? {
        guard let inside = try FolderInside(of: folder),
            let bytes = try inside.contents(of: recordName(uuid), limit: Self.mostRecordBytes)
        else { return nil }
        do {
            return try JSONDecoder().decode(FolderRecord.self, from: Data(bytes))
        } catch {
            throw BackendError(.unreachable, "cannot read '\(folder)/.printq/\(recordName(uuid))': \(error)")
        }
    }

    /// Stores the record of a job.
    func store(_ record: FolderRecord, of uuid: String) throws(BackendError) {
        let data: Data
        do { data = try JSONEncoder().encode(record) } catch { throw BackendError(.refused, "\(error)") }
        let inside = try inside()
        let new = "\(recordName(uuid)).new"
        try write(to: new, in: inside, mode: 0o600) { (target) throws(BackendError) in
            try put([UInt8](data), to: target)
        }
        try rename(new, to: recordName(uuid), in: inside)
    }

    // MARK: - Tokens

    /// Creates the token of a job, which shows that the job's document can arrive.
    ///
    /// The token is on the disk when `store(_:of:)` has stored the job's record in the same folder.
    func addToken(of uuid: String) throws(BackendError) {
        let token = try inside().make(tokenName(uuid))
        guard token >= 0 else { throw failure(errno) }
        close(token)
    }

    /// Returns whether a job has its token.
    func hasToken(of uuid: String) throws(BackendError) -> Bool {
        try FolderInside(of: folder)?.look(at: tokenName(uuid)) != nil
    }

    /// Removes the token of a job, and returns whether this call has removed the token.
    ///
    /// After a power cut, the token may be back until `store(_:of:)` has stored the job's next record. The job's document
    /// can then arrive again.
    ///
    /// If several calls run at the same time, even on different hosts, exactly one call returns true.
    func removeToken(of uuid: String) throws(BackendError) -> Bool {
        let inside = try inside()
        guard unlinkat(inside.descriptor, tokenName(uuid), 0) == 0 else {
            guard errno == ENOENT else { throw failure(errno) }
            return false
        }
        return true
    }
}
