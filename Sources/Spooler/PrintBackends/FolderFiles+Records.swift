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
    func addToken(of uuid: String) throws(BackendError) {
        let inside = try inside()
        try write(to: tokenName(uuid), in: inside, mode: 0o600) { (_) throws(BackendError) in }
        try sync(inside.descriptor)
    }

    /// Returns whether a job has its token.
    func hasToken(of uuid: String) throws(BackendError) -> Bool {
        try FolderInside(of: folder)?.look(at: tokenName(uuid)) != nil
    }

    /// Removes the token of a job, and returns whether this call has removed the token.
    ///
    /// If several calls run at the same time, even on different hosts, exactly one call returns true.
    func removeToken(of uuid: String) throws(BackendError) -> Bool {
        let inside = try inside()
        guard unlinkat(inside.descriptor, tokenName(uuid), 0) == 0 else {
            guard errno == ENOENT else { throw failure(errno) }
            return false
        }
        try sync(inside.descriptor)
        return true
    }
}
