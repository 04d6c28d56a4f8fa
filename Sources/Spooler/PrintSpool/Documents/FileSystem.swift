// Defines the file system operations of the spool, and implements them with POSIX calls.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import SafeFiles

/// The file system operations of the spool.
///
/// `POSIXFileSystem` is the default. A simulation uses another implementation, which can inject faults. That
/// implementation loses data that was not synced before a simulated power failure.
package protocol FileSystem: Sendable {
    /// Creates a file that only its owner can read, and opens the file for writing.
    func create(_ path: String) throws(SystemCallError) -> Int32

    /// Appends all of `bytes` to an open file.
    func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError)

    /// Syncs the contents of an open file to disk.
    func sync(_ descriptor: Int32) throws(SystemCallError)

    /// Closes an open file.
    func close(_ descriptor: Int32)

    /// Syncs the entries of a folder to disk.
    func syncFolder(_ path: String) throws(SystemCallError)

    /// Renames a file, and replaces an existing file with the new name.
    func rename(_ path: String, to newPath: String) throws(SystemCallError)

    /// Creates a hard link to a file.
    func link(_ path: String, to newPath: String) throws(SystemCallError)

    /// Creates a folder that only its owner can access, if the folder does not exist.
    func makeFolder(_ path: String) throws(SystemCallError)

    /// Creates a folder and its parent folders durably, if the folders do not exist.
    func makeFolders(_ path: String) throws

    /// Returns the names of the files and folders in a folder, or an empty array when the folder cannot be read.
    func names(in folder: String) -> [String]

    /// Removes a file, or a folder with its contents.
    ///
    /// Does nothing if the path does not exist.
    func remove(_ path: String)

    /// Returns whether the file exists and is readable.
    func isReadable(_ path: String) -> Bool

    /// Opens and locks a file; creates the file if it does not exist.
    ///
    /// Returns the file descriptor, or nil if another process has locked the file.
    func lock(_ path: String) throws(SystemCallError) -> Int32?

    /// Unlocks and closes a file.
    func unlock(_ descriptor: Int32)

    /// Runs blocking disk operations on another thread.
    func perform(_ work: @escaping @Sendable () -> Void)
}

package struct SystemCallError: Error, CustomStringConvertible {
    /// The name of the system call.
    package var call: String
    /// The `errno` of the system call.
    package var number: Int32

    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// The name of the system call, and the system's error message.
    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}

package struct POSIXFileSystem: FileSystem {
    /// Creates the file system of the machine.
    package init() {}

    package func create(_ path: String) throws(SystemCallError) -> Int32 {
        BlockingCall.check()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError(call: "open", number: errno) }
        return descriptor
    }

    package func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError) {
        BlockingCall.check()
        do throws(SystemFailure) { try FileBytes.write(bytes, to: descriptor) } catch {
            throw SystemCallError(call: "write", number: error.number)
        }
    }

    package func sync(_ descriptor: Int32) throws(SystemCallError) {
        BlockingCall.check()
        guard fsync(descriptor) == 0 else { throw SystemCallError(call: "fsync", number: errno) }
    }

    package func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    package func syncFolder(_ path: String) throws(SystemCallError) {
        BlockingCall.check()
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError(call: "open", number: errno) }
        defer { close(descriptor) }
        try sync(descriptor)
    }

    package func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        BlockingCall.check()
        guard Glibc.rename(path, newPath) == 0 else { throw SystemCallError(call: "rename", number: errno) }
    }

    package func link(_ path: String, to newPath: String) throws(SystemCallError) {
        BlockingCall.check()
        guard Glibc.link(path, newPath) == 0 else { throw SystemCallError(call: "link", number: errno) }
    }

    package func makeFolder(_ path: String) throws(SystemCallError) {
        BlockingCall.check()
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemCallError(call: "mkdir", number: errno) }
    }

    package func makeFolders(_ path: String) throws {
        BlockingCall.check()
        guard access(path, F_OK) != 0 else { return }
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if !parent.isEmpty { try makeFolders(parent) }
        try makeFolder(path)
        // Without this sync, a power cut could lose the new entry in the parent folder, and all contents of the new
        // folder.
        try syncFolder(parent.isEmpty ? "/" : parent)
    }

    package func names(in folder: String) -> [String] {
        BlockingCall.check()
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    package func remove(_ path: String) {
        BlockingCall.check()
        try? FileManager.default.removeItem(atPath: path)
    }

    package func isReadable(_ path: String) -> Bool {
        BlockingCall.check()
        return access(path, R_OK) == 0
    }

    package func lock(_ path: String) throws(SystemCallError) -> Int32? {
        // O_CLOEXEC: a simulator that outlives this process must not keep the lock.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError(call: "open", number: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK else { throw SystemCallError(call: "flock", number: number) }
            return nil
        }
        return descriptor
    }

    package func unlock(_ descriptor: Int32) {
        // LOCK_UN is required because a child process that is just starting may still share the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    package func perform(_ work: @escaping @Sendable () -> Void) {
        if !BlockingThreads.shared.async(work) { work() }
    }
}
