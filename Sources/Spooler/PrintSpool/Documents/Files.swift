// The calls that store a file durably, with error messages for people.

/// The calls that store a file durably, with error messages for people.
///
/// The order is always: write, fsync the file, rename, fsync the folder, and then commit the row that names the file.
struct Files: Sendable {
    /// The implementation of the calls.
    let system: any FileSystem

    /// Creates a file that only its owner can read, and opens it for writing.
    func create(_ path: String) throws(SpoolError) -> Int32 {
        do { return try system.create(path) } catch { throw .file(path, error) }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(SpoolError) {
        do { try system.write(bytes, to: descriptor) } catch { throw .file(path, error) }
    }

    /// Flushes an open file to disk.
    func sync(_ descriptor: Int32, path: String) throws(SpoolError) {
        do { try system.sync(descriptor) } catch { throw .file(path, error) }
    }

    /// Closes an open file.
    func close(_ descriptor: Int32) { system.close(descriptor) }

    /// Flushes a folder's entries to disk.
    func syncFolder(_ path: String) throws(SpoolError) {
        do { try system.syncFolder(path) } catch { throw .file(path, error) }
    }

    /// Renames a file, and replaces a file with the new name.
    func rename(_ path: String, to newPath: String) throws(SpoolError) {
        do { try system.rename(path, to: newPath) } catch { throw .file(newPath, error) }
    }

    /// Creates a hard link to a file.
    func link(_ path: String, to newPath: String) throws(SpoolError) {
        do { try system.link(path, to: newPath) } catch { throw .file(path, error) }
    }

    /// Creates a folder that only its owner can enter, if it does not exist.
    func makeFolder(_ path: String) throws(SpoolError) {
        do { try system.makeFolder(path) } catch { throw .file(path, error) }
    }

    /// Creates a folder and its parents, if they do not exist.
    func makeFolders(_ path: String) throws(SpoolError) {
        do {
            try system.makeFolders(path)
        } catch {
            throw SpoolError(
                code: .unwritable, message: "the folder '\(path)' cannot be made; choose another with '--spool'",
                cause: error)
        }
    }

    /// Returns the names in a folder; an empty list when the folder cannot be read.
    func names(in folder: String) -> [String] { system.names(in: folder) }

    /// Removes a file, or a folder with its contents.
    ///
    /// A missing file is not an error.
    func remove(_ path: String) { system.remove(path) }

    /// Returns whether a file exists and can be read.
    func isReadable(_ path: String) -> Bool { system.isReadable(path) }

    /// Runs work that may wait for the disk on another thread.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            system.perform { continuation.resume(returning: work()) }
        }
    }
}
