// The page images of a job for the terminal.

import FoundationEssentials
import Glibc
import SpoolerClient

/// The images of a job's pages.
package struct JobPageImages: Sendable {
    /// The paths of the images, in page order.
    var paths: [String]
    /// The number of pages of the job; greater than the number of images if only the first pages were drawn.
    var pages: Int
    /// The folder that is removed after the images were shown; nil for the images of a simulated printer.
    private var folder: String?

    /// The maximum number of pages that printd draws for one job.
    private static let most = 50
    private static let resolution = 96

    init(paths: [String]) { (self.paths, pages) = (paths, paths.count) }

    /// Lets printd draw the printed sides of a job, or the pages of its documents if the sides are not known.
    static func drawn(of job: Int, at place: SpoolLocation) async throws(SpoolerClientError) -> JobPageImages {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let folder = "\(parent)/printq-pages-\(UUID().uuidString)"
        guard mkdir(folder, 0o700) == 0 else {
            throw SpoolerClientError(
                .output, "cannot create the folder '\(folder.printable)': \(String(cString: strerror(errno)))")
        }
        var images = JobPageImages(paths: [])
        images.folder = folder
        do throws(SpoolerClientError) {
            let download = JobPageDownload(ofJob: job, at: place, folder: folder)
            let list = try await download.pages()
            images.pages = list.pages.count { !$0.blank }
            for page in list.pages.filter({ !$0.blank }).prefix(most) {
                let path = "\(folder)/page-\(page.number).png"
                let isDrawn = try await download.draw(
                    page, list.side, resolution: resolution, to: path, replaces: false)
                if isDrawn { images.paths.append(path) }
            }
            return images
        } catch {
            images.remove()
            throw error
        }
    }

    /// Removes the images that were drawn.
    func remove() { if let folder { try? FileManager.default.removeItem(atPath: folder) } }
}
