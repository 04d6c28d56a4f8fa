// Calls the file system, and converts its errors to `SpoolError`.

/// The file system operations of the spool with errors of the type `SpoolError`.
///
/// The spool always uses this order: write, fsync the file, rename, fsync the folder, then commit the row with the name
/// of the file.
struct Files: Sendable {
    /// The file system that performs the operations.
    let system: any FileSystem

    /// Creates a file that only its owner can read, and opens the file for writing.
    func create(_ path: String) throws(SpoolError) -> Int32 {
        do { return try system.create(path) } catch { throw .file(path, error) }
    }

    /// Appends all of `bytes` to an open file.
    func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(SpoolError) {
        do { try system.write(bytes, to: descriptor) } catch { throw .file(path, error) }
    }

    /// Syncs the contents of an open file to disk.
    func sync(_ descriptor: Int32, path: String) throws(SpoolError) {
        do { try system.sync(descriptor) } catch { throw .file(path, error) }
    }

    /// Closes an open file.
    func close(_ descriptor: Int32) { system.close(descriptor) }

    /// Syncs the entries of a folder to disk.
    func syncFolder(_ path: String) throws(SpoolError) {
        do { try system.syncFolder(path) } catch { throw .file(path, error) }
    }

    /// Renames a file, and replaces an existing file with the new name.
    func rename(_ path: String, to newPath: String) throws(SpoolError) {
        do { try system.rename(path, to: newPath) } catch { throw .file(newPath, error) }
    }

    /// Creates a hard link to a file.
    func link(_ path: String, to newPath: String) throws(SpoolError) {
        do { try system.link(path, to: newPath) } catch { throw .file(path, error) }
    }

    /// Creates a folder that only its owner can access, if the folder does not exist.
    func makeFolder(_ path: String) throws(SpoolError) {
        do { try system.makeFolder(path) } catch { throw .file(path, error) }
    }

    /// Creates a folder and its parent folders durably, if the folders do not exist.
    func makeFolders(_ path: String) throws(SpoolError) {
        do {
            try system.makeFolders(path)
        } catch {
            throw SpoolError(
                code: .unwritable, message: "cannot create the folder '\(path)'; choose another folder with '--spool'",
                cause: error)
        }
    }

    /// Returns the names of the files and folders in a folder, or an empty array when the folder cannot be read.
    func names(in folder: String) -> [String] { system.names(in: folder) }

    /// Removes a file, or a folder with its contents.
    ///
    /// Does nothing if the path does not exist.
    func remove(_ path: String) { system.remove(path) }

    /// Returns whether the file exists and is readable.
    func isReadable(_ path: String) -> Bool { system.isReadable(path) }

    /// Runs blocking disk operations on another thread.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            system.perform { continuation.resume(returning: work()) }
        }
    }
}
