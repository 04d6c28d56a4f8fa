// Reads the pages of jobs as images.

extension Spooler {
    /// Returns the printed sides of a job, or the pages of its documents if the sides are not known, as
    /// `printq preview` lists them.
    ///
    /// - Throws: `SpoolerClientError`: `noPermission` if the user may not see the pages; `notDone` if the job has no
    ///   pages, for example because its documents were deleted; `usage` for a server on the network.
    public func pages(ofJob id: Int) async throws(SpoolerClientError) -> DrawablePages {
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await JobPageDownload(ofJob: id, at: try localSpool, folder: folder.path).pages()
    }

    /// Writes the image of a page to a PNG file, which `printd` draws.
    ///
    ///     let pages = try await spooler.pages(ofJob: 7)
    ///     try await spooler.draw(pages.pages[0], pages.side, ofJob: 7, to: "page-1.png")
    ///
    /// - Parameters:
    ///   - page: A page of ``pages(ofJob:)``.
    ///   - side: The kind of the page.
    ///   - id: The number of the job.
    ///   - resolution: The resolution in dots per inch: 24, 48 or 96. Another value means the next lower of these values.
    ///   - path: The path of the PNG file.
    ///   - replaces: Whether the image is allowed to replace an existing file.
    /// - Returns: False if the page is the blank back of a sheet and has no image; otherwise true.
    /// - Throws: The errors of ``pages(ofJob:)``; `output` if the file exists or cannot be written.
    @discardableResult
    public func draw(
        _ page: DrawablePages.Page, _ side: DrawablePages.Side, ofJob id: Int, resolution: Int = 96, to path: String,
        replaces: Bool = false
    ) async throws(SpoolerClientError) -> Bool {
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await JobPageDownload(ofJob: id, at: try localSpool, folder: folder.path)
            .draw(page, side, resolution: resolution, to: path, replaces: replaces)
    }

    private var localSpool: SpoolLocation {
        get throws(SpoolerClientError) {
            guard let location else {
                throw SpoolerClientError(
                    .usage, "the pages of a job can be drawn only on the machine of the server; run the program there")
            }
            return location
        }
    }
}
