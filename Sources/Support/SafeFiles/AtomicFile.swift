// Writes files that appear only when they are complete.

package import Glibc

/// A new file that gets its final name after all bytes are written.
///
///     let file = try AtomicFile(path: "report.pdf") { WorkError(.writeFailed, "cannot write the report: \($0)") }
///     try file.append(bytes)
///     try file.finish()
///
/// Until then, the file has a temporary name in the same folder. `deinit` removes an unfinished file. After a crash, the
/// folder contains the old file or the complete new file, and at most one unfinished file.
package final class AtomicFile<Failure: Error> {
    package enum TemporaryName {
        /// A name for this object alone, as in `sheets.pdf.1f0k2….partial`, for files that several tasks can write.
        case unique
        /// The path with the suffix `.new`, which replaces the unfinished file of a crashed process. The caller ensures
        /// that no other process writes the file at the same time.
        case new
    }

    /// The data that is on the disk when `finish` returns, and therefore is not lost after a power failure.
    package enum Sync {
        /// Nothing: after a power failure, the file can be empty.
        case none
        /// The content: after a power failure, the path leads to the old file or the complete new file.
        case content
        /// The content and the name of the new file. File systems that cannot sync folders sync only the content.
        case contentAndName
    }

    /// The final path of the file.
    package let path: String
    private let temporaryPath: String
    /// The descriptor of the new file, for reading and writing; -1 after `finish`.
    package private(set) var descriptor: Int32
    /// The path by which this process can open the temporary file, which is never a link of another user.
    package var openPath: String { "/proc/self/fd/\(descriptor)" }
    private var isTemporary = true
    private let failure: (SystemFailure) -> Failure

    /// Creates the temporary file.
    ///
    /// - Parameters:
    ///   - mode: The mode of the file, from which the umask of the process removes bits.
    ///   - failure: A function that returns the error for a failed system call.
    package init(
        path: String, temporaryName: TemporaryName = .unique, mode: mode_t = 0o600,
        failure: @escaping (SystemFailure) -> Failure
    ) throws(Failure) {
        switch temporaryName {
        case .unique: temporaryPath = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).partial"
        case .new:
            temporaryPath = "\(path).new"
            unlink(temporaryPath)
        }
        (self.path, self.failure) = (path, failure)
        descriptor = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else {
            isTemporary = false
            throw failure(SystemFailure(errno))
        }
    }

    deinit { discard() }

    /// Removes the unfinished file.
    package func discard() {
        if descriptor >= 0 { close(descriptor) }
        if isTemporary { unlink(temporaryPath) }
        (descriptor, isTemporary) = (-1, false)
    }

    package func append(_ bytes: some Collection<UInt8>) throws(Failure) {
        do throws(SystemFailure) { try FileBytes.write(bytes, to: descriptor) } catch { throw failure(error) }
    }

    /// Gives the file its final name.
    ///
    /// - Parameter replaces: Whether the file replaces an existing file. Otherwise, an existing file is an error
    ///   (`EEXIST`).
    package func finish(sync: Sync = .none, replaces: Bool = true) throws(Failure) {
        do throws(SystemFailure) {
            if sync != .none { try SystemFailure.check(fsync(descriptor)) }
            let closed = close(descriptor)
            descriptor = -1
            try SystemFailure.check(closed)
            try rename(replaces: replaces)
        } catch {
            discard()
            throw failure(error)
        }
        if sync == .contentAndName {
            FileBytes.sync(folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
        }
    }

    private func rename(replaces: Bool) throws(SystemFailure) {
        // link(2) never replaces a file that was created meanwhile, but some file systems have no hard links.
        if !replaces, link(temporaryPath, path) == 0 { return discard() }
        guard replaces || errno != EEXIST && access(path, F_OK) != 0 else { throw SystemFailure(EEXIST) }
        try SystemFailure.check(Glibc.rename(temporaryPath, path))
        isTemporary = false
    }
}

extension AtomicFile where Failure == SystemFailure {
    /// Replaces a file with bytes.
    package static func write(
        _ bytes: some Collection<UInt8>, to path: String, temporaryName: TemporaryName = .unique, sync: Sync = .none
    ) throws(SystemFailure) {
        let file = try AtomicFile(path: path, temporaryName: temporaryName) { $0 }
        try file.append(bytes)
        try file.finish(sync: sync)
    }
}
