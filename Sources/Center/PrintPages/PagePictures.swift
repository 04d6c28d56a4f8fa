// Draws parts of pages for browsers.

import FoundationEssentials
import PrintCenter
import PrintModel
package import PrintWork

/// The source of page images for all jobs and previews, with a cache of drawn tiles.
package struct PagePictures: Sendable {
    /// The processes that draw pages.
    package let viewer: PageViewer
    /// The cache of drawn tiles.
    package let cache: PageImageCache

    /// The maximum number of pixels in an image of a whole page.
    ///
    /// Clients must request larger images as tiles.
    private static let mostPixels = 8_000_000

    package init(viewer: PageViewer, cache: PageImageCache = PageImageCache()) {
        (self.viewer, self.cache) = (viewer, cache)
    }

    /// Draws a document page, or a tile of the page, as an image.
    ///
    /// - Parameter size: The size of the page in points.
    /// - Throws: `Problem` if the tile does not exist, the image is too large or the page cannot be drawn;
    ///   `CancellationError` if the task is canceled.
    func image(
        of documents: ViewedDocuments, page: Int, size: Size, _ area: PageArea, for user: String
    ) async throws -> PageImageFile {
        let tile: PageTile
        if let (column, row) = area.tile {
            guard
                let found = PageTile(page: page, ofSize: size, resolution: area.resolution, column: column, row: row)
            else { throw Problem.notFound("page \(page) has no tile x=\(column), y=\(row) at \(area.resolution) dpi") }
            tile = found
        } else {
            tile = PageTile(wholePage: page, ofSize: size, resolution: area.resolution)
            guard tile.width * tile.height <= Self.mostPixels else {
                throw Problem(
                    .unprocessableContent,
                    "page \(page) has \(tile.width) × \(tile.height) pixels at \(area.resolution) dpi; "
                        + "request tiles with x and y, or a lower resolution",
                    fields: [.init("dpi", "the page is too large for one image")])
            }
        }
        let picture = try await asProblem {
            try await cache.picture(PageImageCache.Key(documents: documents, tile: tile)) { [viewer] in
                let drawn = try await viewer.draw(tile, of: documents, for: user)
                guard let png = Data(base64Encoded: drawn.png) else {
                    throw WorkError(.workerCrashed, "the worker sent an invalid image")
                }
                return PagePicture(png: Array(png), notice: drawn.notice)
            }
        }
        return PageImageFile(png: picture.png, tag: picture.tag)
    }

    /// Removes documents that are no longer displayed from the cache and from the viewer.
    func close(_ documents: ViewedDocuments) {
        viewer.close(documents)
        cache.remove(documents)
    }
}

/// Runs `body`, and converts errors of workers to `Problem` errors.
func asProblem<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as WorkError {
        throw Problem(error)
    } catch let failure as ViewMaker.DocumentFailure {
        var problem = Problem(failure.error)
        // Another attempt can succeed if the server was busy.
        if problem.status != .serviceUnavailable {
            problem.fields = [Problem.Field("uploads/\(failure.index)", failure.error.message)]
        }
        throw problem
    } catch is PageViewer.Busy {
        throw Problem.busy("too many page images are requested; try again in a few seconds")
    }
}

extension Problem {
    /// Creates the HTTP problem for a worker's error.
    init(_ error: WorkError) {
        switch error.code {
        case .documentMissing: self.init(.notFound, error.message)
        case .unsupportedFormat: self.init(.unsupportedMediaType, error.message)
        case .passwordRequired:
            self.init(.unprocessableContent, error.message)
            code = "client-error-document-password-error"
        case .damaged, .noPages, .processorTimeExceeded, .pageTimeExceeded, .timeExceeded,
            .memoryExceeded, .documentTooLarge, .outputTooLarge, .tooLong, .workerCrashed:
            self.init(.unprocessableContent, error.message)
        case .writeFailed: self.init(.insufficientStorage, error.message)
        case .workerUnavailable, .sandboxIncomplete, .canceled: self = .busy(error.message)
        }
    }
}
