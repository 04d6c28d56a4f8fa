import PrintModel
import PrintScheduler
import PrintSpool
import Testing

/// Printers that do not accept PDF.
@Suite(.timeLimit(.minutes(1)))
struct SentFormatTests {
    private static let pixels = PixelSupport(resolutions: [.usual], types: [.color8, .gray8])

    @Test func `a raster printer receives PWG raster rendered from the PDF, and the log names the format`() async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.take([.pwgRaster], RasterCapabilities(pwg: Self.pixels))
        try await fixture.printing { _ in
            let id = try await fixture.submit("a")
            try await fixture.job(id, is: .completed)
            let events = try await fixture.spool.events(after: 0, jobID: id)
            #expect(events.map(\.message).contains("Sending to the printer as PWG raster, 300 dpi, gray"))
        }
        #expect(await fixture.laser.sent == [["prepared.pwg"]])
        #expect(await fixture.laser.sentFormats == [.pwgRaster])
        let request = try #require(fixture.worker.rendered.first)
        #expect(request.pages == 1...5 && request.pageCount == 5 && request.document.hasSuffix("/prepared.pdf"))
        await fixture.spool.finishRemovals()
        #expect(fixture.prepared == [])
    }

    @Test func `a PDF printer receives the PDF, and no page is rendered`() async throws {
        let fixture = try await SchedulerFixture()
        try await fixture.printing { _ in
            try await fixture.job(try await fixture.submit("a"), is: .completed)
        }
        #expect(await fixture.laser.sent == [["prepared.pdf"]])
        #expect(fixture.worker.rendered == [])
    }

    @Test func `if a JPEG printer supports several documents per job, the printer receives one image for each page`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.take([.jpeg], RasterCapabilities(takesSeveralDocuments: true))
        try await fixture.printing { _ in
            try await fixture.job(try await fixture.submit("a"), is: .completed)
        }
        #expect(await fixture.laser.sent == [(1...5).map { "prepared-\($0).jpg" }])
    }

    @Test func `a job of five pages is aborted before delivery if the printer accepts only one JPEG image per job`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.take([.jpeg], RasterCapabilities())
        try await fixture.printing { _ in
            let job = try await fixture.job(try await fixture.submit("a"), is: .aborted)
            #expect(job.reasons == [.unsupportedDocumentFormat, .abortedBySystem])
            #expect(
                job.message == "laser accepts only JPEG with one image per job, and this job has 5 pages; "
                    + "print each page as a separate job with --pages")
        }
        #expect(await fixture.laser.count(.create) == 0)
    }

    @Test
    func `if printq cannot produce any format of the printer, the job is aborted with a message before delivery`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.take([.postScript, .octetStream], RasterCapabilities())
        try await fixture.printing { _ in
            let job = try await fixture.job(try await fixture.submit("a"), is: .aborted)
            #expect(job.reasons == [.unsupportedDocumentFormat, .abortedBySystem])
            #expect(
                job.message == "laser does not accept PDF, PWG raster, Apple raster or JPEG, only "
                    + "application/postscript, application/octet-stream; add a CUPS queue with a driver "
                    + "for the printer, or print on another printer")
        }
        #expect(await fixture.laser.count(.create) == 0)
        #expect(fixture.worker.documents == [])
    }
}
