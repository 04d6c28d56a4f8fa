// The folder of golden pages.

import FoundationEssentials
import Glibc
import PageComparison

/// A folder with the expected page images for the jobs of a test run.
///
/// The pages of a single job (`page-0001.png` and so on) are in the folder itself. The pages of several jobs are in the
/// subfolders `job-000001`, `job-000002` and so on, in the order of the jobs' arrival. The pages of a single job can
/// also be in the subfolder `job-000001`.
package struct GoldenFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// `number` counts from 1.
    static func name(ofJob number: Int) -> String {
        let digits = String(number)
        return "job-\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)"
    }

    /// The path depends on the number of jobs and on the existing subfolders.
    ///
    /// The folder does not have to exist.
    func folder(ofJob number: Int, of count: Int) -> String {
        count > 1 || !jobFolders.isEmpty ? "\(path)/\(Self.name(ofJob: number))" : path
    }

    var jobFolders: [String] {
        entries(of: path).filter { $0.wholeMatch(of: /job-[0-9]{6}/) != nil && isFolder("\(path)/\($0)") }.sorted()
    }

    var exists: Bool { isFolder(path) }

    // MARK: - Recording

    /// Call this function before the jobs are printed.
    ///
    /// - Throws: `outputUnusable` if the folder is not writable or cannot be created.
    package func requireWritable() throws(SimulatorServerError) {
        var place = path
        while access(place, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
            guard let slash = place.lastIndex(of: "/"), slash != place.startIndex else {
                place = place.hasPrefix("/") ? "/" : "."
                break
            }
            place = String(place[..<slash])
        }
        guard isFolder(place) else {
            throw SimulatorServerError(
                .outputUnusable, "cannot use '\(path)' for golden pages: '\(place)' is not a folder")
        }
        guard access(place, W_OK | X_OK) == 0 else {
            throw SimulatorServerError(
                .outputUnusable, "cannot use '\(path)' for golden pages: '\(place)' is not writable")
        }
    }

    /// Replaces all golden pages with the pages of the jobs.
    ///
    /// Files with other names stay.
    ///
    /// - Parameter folders: The jobs' folders, in the order of the jobs' arrival.
    /// - Throws: `outputUnusable` if a file cannot be read, written or removed. The old pages stay until all new pages
    ///   have been copied.
    package func record(_ folders: [String]) throws(SimulatorServerError) {
        let (files, stage) = (FileManager.default, "\(path)/.recording-\(getpid())")
        defer { try? files.removeItem(atPath: stage) }
        do {
            for (number, folder) in zip(1..., folders) {
                let target = folders.count > 1 ? "\(stage)/\(Self.name(ofJob: number))" : stage
                try files.createDirectory(atPath: target, withIntermediateDirectories: true)
                for name in pages(of: folder) {
                    try files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(target)/\(name)")
                }
            }
            for folder in [path] + jobFolders.map({ "\(path)/\($0)" }) {
                for name in pages(of: folder) { try files.removeItem(atPath: "\(folder)/\(name)") }
                // rmdir() keeps a folder that contains other files.
                if folder != path { rmdir(folder) }
            }
            for folder in folders.count > 1 ? zip(1..., folders).map({ Self.name(ofJob: $0.0) }) : [""] {
                try files.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
                for name in pages(of: "\(stage)/\(folder)") {
                    try files.moveItem(atPath: "\(stage)/\(folder)/\(name)", toPath: "\(path)/\(folder)/\(name)")
                }
            }
        } catch {
            throw SimulatorServerError(
                .outputUnusable, "cannot write the golden pages to '\(path)'; check the folder and record again",
                cause: error)
        }
    }

    private func pages(of folder: String) -> [String] {
        entries(of: folder).filter { $0.hasPrefix("page-") && $0.hasSuffix(".png") }
    }

    private func entries(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
