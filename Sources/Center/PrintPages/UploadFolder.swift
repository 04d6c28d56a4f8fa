// Keeps the documents that browsers upload for new jobs.

import AsyncPrimitives
import FoundationEssentials
import Glibc
package import IPPServer
package import PrintCenter
package import PrintModel
package import PrintWork
import SafeFiles
package import SpoolerClient

/// The documents that browsers upload for new jobs, in a private folder.
///
/// Each upload belongs to a user and expires after an hour. At startup, `printd` removes the uploads of an earlier
/// process.
package actor UploadFolder: Uploads {
    /// The limits of uploads.
    package struct Bounds: Sendable {
        /// The maximum number of uploads per user.
        package var uploadsOfUser = 32
        /// The maximum total size of the uploads of one user, in bytes.
        package var bytesOfUser = 1 << 30
        /// The maximum total size of the uploads of all users, in bytes.
        package var bytes = 8 << 30
        /// The time after which an upload is removed, in seconds.
        package var lifetime: Double = 3600

        /// Creates the default limits.
        package init() {}
    }

    private struct Entry {
        var file: UploadedFile
        let owner: CenterUser.Account
        let path: String
        let expires: UnixTime
        /// The size of the upload in bytes: the larger of the announced size and the received size.
        var bytes: Int
        var isComplete = false
    }

    private let folder: String
    private let bounds: Bounds
    private let pool: ConvertingWorkerPool
    private let clock: @Sendable () -> UnixTime
    private let removed: @Sendable (String) async -> Void
    private var entries: [String: Entry] = [:]
    /// The IDs of removed uploads for which `removed` has not been called yet.
    private var gone: [String] = []

    /// Creates an empty folder for uploads.
    ///
    /// - Parameter removed: A closure that is called with the ID of each removed upload.
    package init(
        folder: String, pool: ConvertingWorkerPool, bounds: Bounds = Bounds(),
        clock: @escaping @Sendable () -> UnixTime, removed: @escaping @Sendable (String) async -> Void = { _ in }
    ) {
        (self.folder, self.pool, self.bounds, self.clock) = (folder, pool, bounds, clock)
        self.removed = removed
        try? FileManager.default.removeItem(atPath: folder)
        mkdir(folder, 0o700)
    }

    /// Removes expired uploads until the task is canceled; then removes all uploads.
    package func run() async {
        while (try? await Task.sleep(for: .seconds(30))) != nil {
            removeExpired()
            await reportRemoved()
        }
        for id in entries.keys { remove(id) }
        await reportRemoved()
    }

    package func removeExpired() {
        let now = clock()
        for (id, entry) in entries where entry.expires <= now { remove(id) }
    }

    /// The number of uploads of all users, and the total size of these uploads in bytes.
    package var usage: (uploads: Int, bytes: Int) { (entries.count, entries.values.reduce(0) { $0 + $1.bytes }) }

    // MARK: - Receiving

    /// Receives a document, and detects its type.
    ///
    /// - Throws: `Problem` with an HTTP status: 413 or 429 if a limit of the user is exceeded, 507 if the disk is full
    ///   or the limit for all users is exceeded, 400 for an empty document, 404 if the upload was removed during the
    ///   transfer.
    package func receive(
        _ body: WebBody, name: String?, format: String?, of user: CenterUser
    ) async throws -> UploadedFile {
        removeExpired()
        let name = Self.safeName(name)
        let own = entries.values.filter { $0.owner == user.account }
        guard own.count < bounds.uploadsOfUser else {
            throw Problem(
                .tooManyRequests,
                "you already have \(own.count) uploads, the maximum per user; print or remove some uploads",
                headers: [.retryAfter: "60"])
        }
        try checkRoom(for: body.length ?? 0, of: user)
        let id = UUID().uuidString.lowercased()
        let path = "\(folder)/\(id)/\(name)"
        // The announced length is reserved, so that uploads that arrive together do not exceed the limit.
        entries[id] = Entry(
            file: UploadedFile(id: id, name: name, size: 0), owner: user.account, path: path,
            expires: clock() + bounds.lifetime, bytes: body.length ?? 0)
        do {
            let size = try await write(body, to: name, id: id, of: user)
            guard size > 0 else { throw Problem.malformed("'\(name)' is empty; there is nothing to print") }
            var file = UploadedFile(id: id, name: name, size: size)
            await describe(&file, path: path, declared: format.map { DocumentFormat(rawValue: $0) })
            guard entries[id] != nil else { throw Problem.notFound("the upload was removed during the transfer") }
            entries[id]?.file = file
            entries[id]?.bytes = size
            entries[id]?.isComplete = true
            return file
        } catch {
            remove(id)
            await reportRemoved()
            throw error
        }
    }

    /// Checks that the limits allow the user to upload the given number of bytes.
    private func checkRoom(for count: Int, of user: CenterUser, except id: String? = nil) throws(Problem) {
        let others = entries.filter { $0.key != id }.values
        let own = others.filter { $0.owner == user.account }.reduce(0) { $0 + $1.bytes }
        guard count <= bounds.bytesOfUser - own else {
            throw Problem(
                .contentTooLarge,
                "the uploads of a user are limited to \(Self.mebibytes(bounds.bytesOfUser)) MiB; "
                    + "print or remove some uploads, or use 'printq submit'")
        }
        guard count <= bounds.bytes - others.reduce(0, { $0 + $1.bytes }) else {
            throw Problem(
                .insufficientStorage, "the server has no space for more uploads; try again later",
                headers: [.retryAfter: "60"])
        }
    }

    /// Writes the body of a request to a file in a new folder.
    ///
    /// Disk operations do not block this actor.
    private nonisolated func write(
        _ body: WebBody, to name: String, id: String, of user: CenterUser
    ) async throws -> Int {
        BlockingCall.check()
        guard mkdir("\(folder)/\(id)", 0o700) == 0 else { throw Self.unwritable(errno) }
        let descriptor = open("\(folder)/\(id)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(errno) }
        defer { close(descriptor) }
        var size = 0
        try await body.forEach { piece in
            size += piece.count
            try await note(size, of: id, user)
            try Self.append(piece, to: descriptor)
        }
        return size
    }

    /// Checks the limits, and records the number of received bytes of an upload.
    private func note(_ size: Int, of id: String, _ user: CenterUser) throws(Problem) {
        guard let entry = entries[id] else { throw Problem.notFound("the upload was removed during the transfer") }
        guard size > entry.bytes else { return }
        try checkRoom(for: size, of: user, except: id)
        entries[id]?.bytes = size
    }

    private static func append(_ piece: ArraySlice<UInt8>, to descriptor: Int32) throws(Problem) {
        BlockingCall.check()
        do throws(SystemFailure) { try FileBytes.write(piece, to: descriptor) } catch { throw unwritable(error.number) }
    }

    private static func unwritable(_ code: Int32) -> Problem {
        Problem(
            .insufficientStorage,
            code == ENOSPC || code == EDQUOT
                ? "the disk of the spool is full; free some space and upload the document again"
                : "the document cannot be stored: \(String(cString: strerror(code)))")
    }

    private static func mebibytes(_ bytes: Int) -> Int { bytes >> 20 }

    /// Returns a safe file name: at most 200 bytes, without folders, control characters and leading dots.
    static func safeName(_ name: String?) -> String {
        let last = (name ?? "").split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        var safe = ""
        for scalar in last.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: continue
            default: safe.unicodeScalars.append(scalar)
            }
        }
        safe = String(safe.drop { $0 == "." || $0 == " " })
        // The extension stays, because it can determine the type.
        if safe.utf8.count > 200 {
            let dot = safe.lastIndex(of: ".").map { safe[$0...] } ?? ""
            let ending = dot.utf8.count <= 20 ? String(dot) : ""
            while safe.utf8.count + ending.utf8.count > 200 { safe.removeLast() }
            safe += ending
        }
        return safe.isEmpty ? "document" : safe
    }

    // MARK: - Description

    /// Uses workers to determine the type and the number of pages of an uploaded file.
    private func describe(_ file: inout UploadedFile, path: String, declared: DocumentFormat?) async {
        // The name and the content decide; browsers often declare a wrong type.
        let document = InputDocument(path: path, name: file.name)
        do throws(WorkError) {
            let declared = declared == .octetStream ? nil : declared
            guard let type = try await pool.identify(document, declared: declared) else { throw .unknownType(document) }
            file.type = (type.name, type.formats.first?.rawValue ?? "application/octet-stream")
            if let unavailability = await pool.printableTypes.unavailability(for: type) { throw unavailability }
            guard type.converter == .pages else { return }
            let summary = try await pool.inspect(document)
            (file.pages, file.notices) = (summary.pageCount, summary.notices)
        } catch {
            if error.code == .passwordRequired { file.needsPassword = true } else { file.problem = error.message }
        }
    }

    // MARK: - Use

    private func entry(_ id: String, of user: CenterUser) throws(Problem) -> Entry {
        removeExpired()
        guard let entry = entries[id], entry.owner == user.account, entry.isComplete else {
            throw .notFound("there is no upload '\(id)'; the upload might have expired")
        }
        return entry
    }

    package func upload(_ id: String, of user: CenterUser) async throws(Problem) -> UploadedFile {
        removeExpired()
        await reportRemoved()
        return try entry(id, of: user).file
    }

    /// Removes an upload that belongs to a user.
    package func delete(_ id: String, of user: CenterUser) async throws(Problem) {
        _ = try entry(id, of: user)
        remove(id)
        await reportRemoved()
    }

    /// Returns the uploaded documents of a user as the input of a worker.
    func inputs(_ ids: [String], password: String?, of user: CenterUser) throws(Problem) -> [InputDocument] {
        var documents: [InputDocument] = []
        for id in ids {
            let entry = try checked(id, of: user)
            documents.append(InputDocument(path: entry.path, password: password, name: entry.file.name))
        }
        return documents
    }

    private func checked(_ id: String, of user: CenterUser) throws(Problem) -> Entry {
        guard let entry = try? entry(id, of: user) else {
            throw .wrong("uploads", "there is no upload '\(id)'; upload the document again")
        }
        if let problem = entry.file.problem { throw .wrong("uploads", problem) }
        return entry
    }

    /// Returns the uploaded documents of a user, in the given order.
    ///
    /// - Throws: `Problem` with status 422 if an upload does not exist, cannot be printed, or requires a password.
    package func documents(
        _ ids: [String], hasPassword: Bool, of user: CenterUser
    ) async throws(Problem) -> [DocumentFile] {
        var files: [DocumentFile] = []
        for id in ids {
            let entry = try checked(id, of: user)
            guard hasPassword || !entry.file.needsPassword else {
                throw .wrong(
                    "document-password", "'\(entry.file.name)' is encrypted and requires a password; enter the password"
                )
            }
            do throws(SpoolerClientError) {
                files.append(try DocumentFile(path: entry.path))
            } catch {
                throw Problem(error)
            }
        }
        return files
    }

    /// Deletes the uploaded files of a user after the documents have been submitted as a job.
    package func remove(_ ids: [String], of user: CenterUser) async {
        for id in ids where entries[id]?.owner == user.account { remove(id) }
        await reportRemoved()
    }

    /// Removes the files of removed uploads, and calls `removed` for each.
    private func reportRemoved() async {
        guard !gone.isEmpty else { return }
        let ids = gone
        gone = []
        await BlockingThreads.shared.run { [folder] in
            for id in ids { try? FileManager.default.removeItem(atPath: "\(folder)/\(id)") }
        }
        for id in ids { await removed(id) }
    }

    private func remove(_ id: String) { if entries.removeValue(forKey: id) != nil { gone.append(id) } }
}
