// Draws the pages of files with print-preview.

import DocumentPreviews
import FoundationEssentials
import Glibc
import PrintModel
import SafeFiles
import SpoolerClient

/// A running preview of files.
final class PreviewWork {
    /// The files in order, as the user typed their names.
    let files: [String]
    /// Whether the page images remain after the command has ended.
    let keepsImages: Bool
    /// The maximum number of page images of each file.
    let imageLimit: Int
    private let folder: String
    private let process: PreviewProcess

    /// Starts the preview.
    ///
    /// - Parameters:
    ///   - password: The password of the encrypted files; nil for no password.
    ///   - spool: The folder of the spool that contains the registered document types; nil for no registered types.
    ///   - folder: The folder for page images; nil for a temporary folder, which is removed at the end.
    ///   - replaces: Whether existing page images in the folder are replaced.
    ///   - limit: The maximum number of page images of each file.
    init(
        files: [String], password: String? = nil, ticket: JobTicket, printer: PrinterCapabilities?, spool: String?,
        folder: String?, replaces: Bool, resolution: Int, limit: Int
    ) throws(SpoolerClientError) {
        guard PreviewProcess.isInstalled else { throw Self.error(.missing) }
        (self.files, keepsImages, imageLimit) = (files, folder != nil, limit)
        self.folder = try Self.makeFolder(folder)
        if folder != nil, !replaces { try Self.checkNew(files.count, in: self.folder) }
        var documents: [InputDocument] = []
        do throws(SpoolerClientError) {
            for (index, file) in files.enumerated() {
                documents.append(try Self.document(file, copy: "\(self.folder)/input-\(index + 1)"))
            }
        } catch {
            if folder == nil { try? FileManager.default.removeItem(atPath: self.folder) }
            throw error
        }
        for index in documents.indices { documents[index].password = password }
        let request = PreviewRequest(
            documents: documents, ticket: ticket, printer: printer, folder: self.folder, isTemporary: folder == nil,
            resolution: resolution, imageLimit: limit)
        do throws(PreviewProcess.Failure) { process = try PreviewProcess(request, spool: spool) } catch {
            if folder == nil { try? FileManager.default.removeItem(atPath: self.folder) }
            throw Self.error(error)
        }
    }

    /// Ends the preview, and removes the temporary files.
    func end() {
        process.end()
        guard keepsImages else {
            try? FileManager.default.removeItem(atPath: folder)
            return
        }
        for number in 1...files.count {
            for name in ["\(number)/prepared.pdf", "\(number)/document", "input-\(number)"] {
                unlink("\(folder)/\(name)")
            }
        }
    }

    // MARK: Results

    /// The file descriptor that becomes readable when results are available.
    var descriptor: Int32 { process.descriptor }

    /// Waits for the next result.
    ///
    /// Returns nil after the last result.
    ///
    /// - Throws: `SpoolerClientError` with `software` if print-preview has ended before it returned all results.
    func next() throws(SpoolerClientError) -> PreviewEvent? {
        do throws(PreviewProcess.Failure) { return try process.next() } catch { throw Self.error(error) }
    }

    /// Returns the results that have arrived, without waiting for more results.
    ///
    /// - Throws: `SpoolerClientError` with `software` if print-preview has ended before it returned all results.
    func available() throws(SpoolerClientError) -> [PreviewEvent] {
        do throws(PreviewProcess.Failure) { return try process.available() } catch { throw Self.error(error) }
    }

    private static func error(_ failure: PreviewProcess.Failure) -> SpoolerClientError {
        switch failure {
        case .missing:
            SpoolerClientError(.unavailable, "cannot find print-preview; install the package printq-worker")
        case .notStarted(let program, let cause):
            SpoolerClientError(.unavailable, "cannot start '\(program)'; reinstall printq", cause: cause)
        case .endedEarly:
            SpoolerClientError(.software, "print-preview has ended unexpectedly; run 'printq doctor'")
        }
    }

    // MARK: Files

    /// Creates the folder for page images, or a temporary folder, and returns its absolute path.
    private static func makeFolder(_ folder: String?) throws(SpoolerClientError) -> String {
        guard let folder else { return try TemporaryFolder.make() }
        return try makeFolder(folder)
    }

    /// Creates the folder that the user chose, and returns its absolute path.
    static func makeFolder(_ folder: String) throws(SpoolerClientError) -> String {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw SpoolerClientError(.output, "cannot create the folder '\(folder.printable)'", cause: error)
        }
        return absolute(folder)
    }

    /// Checks that the subfolders for page images contain no files of an earlier preview.
    ///
    /// If the subfolders contained such files, this preview would replace the files.
    private static func checkNew(_ count: Int, in folder: String) throws(SpoolerClientError) {
        for number in 1...max(1, count) {
            let path = "\(folder)/\(number)"
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path), !names.isEmpty else {
                continue
            }
            throw SpoolerClientError(
                .output, "'\(path.printable)' already contains files; choose another folder, or use --force")
        }
    }

    /// Returns the document in a file, a pipe or standard input.
    ///
    /// The function copies a pipe or standard input to a file, because print-preview inherits no open files.
    private static func document(_ file: String, copy path: String) throws(SpoolerClientError) -> InputDocument {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        var status = stat()
        let isPipe = stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        guard file == "-" || isPipe else { return InputDocument(path: absolute(file), name: name) }
        let source = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
        defer { close(source) }
        if let code = source < 0 ? errno : copy(source, to: path) {
            let reason = String(cString: strerror(code))
            throw SpoolerClientError(.output, "cannot copy '\(file.printable)' to '\(path.printable)': \(reason)")
        }
        return InputDocument(path: path, name: file == "-" ? "standard input" : name)
    }

    /// Copies a stream to a new file.
    ///
    /// Returns nil on success, otherwise the `errno` of the failure.
    private static func copy(_ source: Int32, to path: String) -> Int32? {
        let target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { return errno }
        defer { close(target) }
        do throws(SystemFailure) { try FileBytes.copy(from: source, to: target) { error, _ in error } } catch {
            return error.number
        }
        return nil
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
