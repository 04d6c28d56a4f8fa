// The pages as they should be.

import FoundationEssentials
import Glibc
import PageComparison

/// A folder with the page images that the jobs of a trial should leave.
///
/// The pages of a single job (`page-0001.png` …) lie in the folder itself, those of several in a folder for each job, in the
/// order in which the jobs came: `job-000001`, `job-000002` …. A single job may have such a folder too.
package struct GoldenFolder: Sendable {
    /// Its path.
    package let path: String

    /// The folder of a path, whether it is there or not.
    package init(_ path: String) { self.path = path }

    /// The name of the folder of a job, counted from 1.
    static func name(ofJob number: Int) -> String {
        let digits = String(number)
        return "job-\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)"
    }

    /// Where the golden pages of a job lie, of so many that came; the folder need not be there.
    func folder(ofJob number: Int, of count: Int) -> String {
        count > 1 || !jobFolders.isEmpty ? "\(path)/\(Self.name(ofJob: number))" : path
    }

    /// The folders of jobs in it, by name.
    var jobFolders: [String] {
        entries(of: path).filter { $0.wholeMatch(of: /job-[0-9]{6}/) != nil && isFolder("\(path)/\($0)") }.sorted()
    }

    /// Whether it is there.
    var exists: Bool { isFolder(path) }

    // MARK: - Recording

    /// Makes sure that it can be written, before anything is printed for it.
    ///
    /// - Throws: `outputUnusable`.
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
                .outputUnusable, "the golden pages cannot go to '\(path)', for '\(place)' is no folder; name another")
        }
        guard access(place, W_OK | X_OK) == 0 else {
            throw SimulatorServerError(
                .outputUnusable, "the golden pages cannot go to '\(path)': '\(place)' cannot be written; name another")
        }
    }

    /// Puts the pages of jobs in place of all that were there; files of other names stay.
    ///
    /// - Parameter folders: the jobs' folders, in the order in which they came.
    /// - Throws: `outputUnusable`; as long as the new pages are not all there, the old ones stay.
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
                // One that holds files of somebody's own stays.
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
                .outputUnusable, "the golden pages cannot be written to '\(path)'; look at the folder and record again",
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
