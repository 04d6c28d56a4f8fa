// Downloads the pages of a job from printd, which draws them for the owner of the job and for administrators.

import FoundationEssentials
import Glibc
import IPPClient
import SafeFiles

/// The pages of a job that printd can draw: document pages, or sides of sheets.
public struct DrawablePages: Sendable {
    /// A kind of pages.
    public enum Side: String, Sendable, CaseIterable {
        /// The printed sides of the sheets.
        case printed
        /// The pages of the job's documents.
        case document
    }

    /// A page of a document, or a side of a sheet.
    public struct Page: Sendable, Hashable, Decodable {
        /// The number of the page or side, from 1.
        public var number: Int
        /// The width of the page or side, in points.
        public var width: Double
        /// The height of the page or side, in points.
        public var height: Double
        /// The number of the sheet, from 1; nil for a page of a document.
        public var sheet: Int?
        /// The face of the sheet, `front` or `back`; nil for a page of a document.
        public var face: String?
        /// The state of the side, `printed`, `printing` or `waiting`; nil for a page of a document.
        public var state: String?
        /// Whether the side is the blank back of a sheet.
        public var blank: Bool
        /// The numbers of the document pages that the side contains.
        public var pages: [Int]
    }

    /// The kind of the pages in the list.
    public var side: Side
    /// The document pages or sides, in order.
    public var pages: [Page]
}

/// A download of page images from printd over the Unix socket of printd.
///
/// On this socket, the kernel identifies the user.
package struct JobPageDownload: Sendable {
    private let job: Int
    private let download: HTTPDownload
    private let folder: String

    /// The resolutions at which printd draws whole pages, in dots per inch.
    private static let resolutions = [24, 48, 96]
    /// The maximum number of pages in one response of printd.
    private static let longestList = 500

    /// Creates a download of the page images of a job.
    ///
    /// - Parameter folder: A private folder for temporary files.
    package init(ofJob job: Int, at place: SpoolLocation, folder: String) {
        (self.job, self.folder) = (job, folder)
        download = HTTPDownload(fromSocket: place.socket)
    }

    /// Returns the printed sides of the job, or the pages of its documents if the sides are not known.
    ///
    /// - Throws: `SpoolerClientError` with `noPermission` if the user is not allowed to see the pages, and `notDone` if
    ///   the job has no pages.
    package func pages() async throws(SpoolerClientError) -> DrawablePages {
        var reason: String?
        for side in DrawablePages.Side.allCases {
            var list = try await list(side, from: 1)
            while list.pages.count < list.count {
                let next = try await self.list(side, from: list.pages.count + 1)
                guard !next.pages.isEmpty else { break }
                list.pages += next.pages
            }
            if !list.pages.isEmpty { return DrawablePages(side: side, pages: list.pages) }
            reason = list.reason ?? reason
        }
        throw SpoolerClientError(
            .notDone, "job \(job) has no pages\(reason.map { ": \($0.printable)" } ?? ""); see 'printq why \(job)'")
    }

    /// Writes the image of a page to a new file.
    ///
    /// - Parameters:
    ///   - resolution: The resolution in dots per inch. printd draws pages only at 24, 48 or 96 dpi, and uses the
    ///     highest of these resolutions that does not exceed the given resolution. If the given resolution is lower
    ///     than 24 dpi, printd uses 24 dpi.
    ///   - replaces: Whether the image is allowed to replace an existing file.
    /// - Returns: False if the page is the blank back of a sheet and has no image; otherwise true.
    package func draw(
        _ page: DrawablePages.Page, _ side: DrawablePages.Side, resolution: Int, to path: String, replaces: Bool
    ) async throws(SpoolerClientError) -> Bool {
        let dpi = Self.resolutions.last { $0 <= resolution } ?? Self.resolutions[0]
        let file = try AtomicFile(path: path) { error in
            SpoolerClientError(
                .output,
                error.number == EEXIST
                    ? "'\(path.printable)' already exists; use --force to replace the file, or choose another folder"
                    : "cannot write '\(path.printable)': \(error)")
        }
        do throws(HTTPDownloadError) {
            try await download.fetch(
                "/api/v1/jobs/\(job)/pages/\(page.number)/image?side=\(side.rawValue)&dpi=\(dpi)", into: file.descriptor
            )
        } catch {
            if page.blank, error.code == .refused(404) { return false }
            throw failure(error)
        }
        try file.finish(replaces: replaces)
        return true
    }

    // MARK: - Requests

    private struct List: Decodable {
        var available: Bool
        var reason: String?
        var count: Int
        var pages: [DrawablePages.Page]
    }

    private func list(_ side: DrawablePages.Side, from: Int) async throws(SpoolerClientError) -> List {
        let path = "\(folder)/pages.json"
        do throws(HTTPDownloadError) {
            try await fetch(
                "/api/v1/jobs/\(job)/pages?side=\(side.rawValue)&from=\(from)&limit=\(Self.longestList)", to: path)
        } catch {
            throw failure(error)
        }
        defer { unlink(path) }
        guard let data = FileManager.default.contents(atPath: path),
            let list = try? JSONDecoder().decode(List.self, from: data)
        else {
            throw SpoolerClientError(
                .badAnswer, "printd returned no list of the pages of job \(job); see 'printq doctor'")
        }
        return list
    }

    /// Writes the response of printd to a new file.
    private func fetch(_ request: String, to path: String) async throws(HTTPDownloadError) {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw HTTPDownloadError(.unwritable, String(cString: strerror(errno))) }
        defer { close(file) }
        try await download.fetch(request, into: file)
    }

    private func failure(_ error: HTTPDownloadError) -> SpoolerClientError {
        let code: SpoolerClientError.Code =
            switch error.code {
            case .unreachable: .unavailable
            case .refused(401), .refused(403): .noPermission
            case .refused(404), .refused(409): .notDone
            case .refused(415), .refused(422): .badDocument
            case .refused, .incomplete: .temporary
            case .unwritable: .output
            }
        return SpoolerClientError(
            code, "cannot show the pages of job \(job): \(error.message.printable)", cause: error)
    }
}
