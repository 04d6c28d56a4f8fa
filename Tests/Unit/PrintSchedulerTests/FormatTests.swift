import PrintModel
import PrintScheduler
import PrintSpool
import Testing

/// Printers that do not accept PDF.
@Suite(.timeLimit(.minutes(1)))
struct FormatTests {
    private static let pixels = PixelSupport(resolutions: [.usual], types: [.color8, .gray8])

    @Test func `a raster printer gets pixels rendered from the PDF, and the log says so`() async throws {
        let world = try await World()
        await world.laser.take([.pwgRaster], RasterCapabilities(pwg: Self.pixels))
        try await world.printing { _ in
            let id = try await world.submit("a")
            try await world.job(id, is: .completed)
            let events = try await world.spool.events(after: 0, jobID: id)
            #expect(events.map(\.message).contains("Sending to the printer as PWG raster, 300 dpi, gray"))
        }
        #expect(await world.laser.sent == [["prepared.pwg"]])
        #expect(await world.laser.sentFormats == [.pwgRaster])
        let request = try #require(world.worker.rendered.first)
        #expect(request.pages == 1...5 && request.pageCount == 5 && request.document.hasSuffix("/prepared.pdf"))
        #expect(world.prepared == [])
    }

    @Test func `a PDF printer gets the PDF, and nothing is rendered`() async throws {
        let world = try await World()
        try await world.printing { _ in
            try await world.job(try await world.submit("a"), is: .completed)
        }
        #expect(await world.laser.sent == [["prepared.pdf"]])
        #expect(world.worker.rendered == [])
    }

    @Test func `an image printer gets one image for each page, if its jobs may have several documents`() async throws {
        let world = try await World()
        await world.laser.take([.jpeg], RasterCapabilities(takesSeveralDocuments: true))
        try await world.printing { _ in
            try await world.job(try await world.submit("a"), is: .completed)
        }
        #expect(await world.laser.sent == [(1...5).map { "prepared-\($0).jpg" }])
    }

    @Test func `five pages are too many for a printer of single images, and nothing is sent`() async throws {
        let world = try await World()
        await world.laser.take([.jpeg], RasterCapabilities())
        try await world.printing { _ in
            let job = try await world.job(try await world.submit("a"), is: .aborted)
            #expect(job.reasons == [.unsupportedDocumentFormat, .abortedBySystem])
            #expect(
                job.message == "laser takes only JPEG, one image a job, and this job has 5 pages; "
                    + "print each page by itself, with --pages")
        }
        #expect(await world.laser.count(.create) == 0)
    }

    @Test func `a job for a printer without a common format is aborted with a message, and nothing is sent`()
        async throws
    {
        let world = try await World()
        await world.laser.take([.postScript, .octetStream], RasterCapabilities())
        try await world.printing { _ in
            let job = try await world.job(try await world.submit("a"), is: .aborted)
            #expect(job.reasons == [.unsupportedDocumentFormat, .abortedBySystem])
            #expect(
                job.message == "laser takes neither PDF nor PWG raster, Apple raster or JPEG, only "
                    + "application/postscript, application/octet-stream; add it as a queue of CUPS that has a driver "
                    + "for it, or print on another printer")
        }
        #expect(await world.laser.count(.create) == 0)
        #expect(world.worker.documents == [])
    }
}
