import Foundation
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintWork

/// Tests of the processes that keep documents open, with the real worker.
struct PageViewerTests {
    private let place = Workplace()

    private var viewer: PageViewer {
        PageViewer(executable: BuiltPrograms.folder + "print-worker", bounds: PageViewer.Bounds(concurrent: 2))
    }

    private func documents(_ pdf: PDFBuilder, id: String = "a") throws -> ViewedDocuments {
        let path = "\(place.folder)/\(id).pdf"
        try pdf.write(to: path)
        return ViewedDocuments(
            id: id, request: ViewRequest(documents: [ViewedDocument(InputDocument(path: path, format: .pdf))]))
    }

    @Test func `one worker process opens a document and draws all tiles of the document`() async throws {
        let viewer = viewer
        defer { viewer.shutdown() }
        let documents = try documents(.numbered(pages: 3))
        let pages = try await viewer.pages(of: documents, for: "ann")
        #expect(pages.documentPages == [3])
        for page in 1...3 {
            let tile = PageTile(wholePage: page, ofSize: pages.sizes[page - 1], resolution: 24)
            let drawn = try await viewer.draw(tile, of: documents, for: "ann")
            let png = try #require(Data(base64Encoded: drawn.png))
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(drawn.notice == nil)
        }
        #expect(viewer.idleCount == 1, "one process has served all requests")
        viewer.close(documents)
        #expect(viewer.idleCount == 0)
    }

    @Test func `if the worker crashes while it draws a page, the page is drawn with the second renderer`() async throws
    {
        // The script answers the first command by a crash, and the next process draws the page.
        let marker = "\(place.folder)/crashed"
        let worker = try place.script(
            """
            read request
            echo '{"locked":{"systemCalls":true,"landlockVersion":1}}'
            echo '{"opened":{"sizes":[{"width":72,"height":72}],"documentPages":[1]}}'
            read command
            if [ -e \(marker) ]; then
                case "$command" in *otherRenderer*) echo '{"drawn":{"png":"iVBORw==","notice":"page 1 was drawn"}}';; esac
                read next
            fi
            touch \(marker)
            kill -SEGV $$
            """)
        let viewer = PageViewer(executable: worker)
        defer { viewer.shutdown() }
        let documents = try documents(.numbered(pages: 1))
        let drawn = try await viewer.draw(
            PageTile(page: 1, resolution: 72, x: 0, y: 0, width: 72, height: 72), of: documents, for: "ann")
        #expect(drawn.notice == "page 1 was drawn")
    }

    @Test func `the error code for a damaged document is 'damaged'`() async throws {
        let viewer = viewer
        defer { viewer.shutdown() }
        let path = "\(place.folder)/bad.pdf"
        try "this is no PDF".write(toFile: path, atomically: false, encoding: .utf8)
        let documents = ViewedDocuments(
            id: "bad", request: ViewRequest(documents: [ViewedDocument(InputDocument(path: path, format: .pdf))]))
        let error = await #expect(throws: WorkError.self) { try await viewer.pages(of: documents, for: "ann") }
        #expect(error?.code == .damaged)
    }

    @Test func `a page request is refused if the user has reached the limit of waiting requests`() async throws {
        var bounds = PageViewer.Bounds(concurrent: 1)
        bounds.waitingOfUser = 0
        let viewer = PageViewer(executable: BuiltPrograms.folder + "print-worker", bounds: bounds)
        defer { viewer.shutdown() }
        let documents = try documents(.numbered(pages: 1))
        await #expect(throws: PageViewer.Busy.self) { try await viewer.pages(of: documents, for: "ann") }
    }

    @Test func `an idle process ends after the idle time, and without idle processes the viewer waits for no time`()
        async throws
    {
        var bounds = PageViewer.Bounds(concurrent: 1)
        bounds.idleTime = .milliseconds(1)
        let viewer = PageViewer(executable: BuiltPrograms.folder + "print-worker", bounds: bounds)
        #expect(viewer.processes.nextEnd == nil)
        let life = Task { await viewer.run() }
        for _ in 0..<2 {
            _ = try await viewer.pages(of: documents(.numbered(pages: 1)), for: "ann")
            try await eventually("no process is idle") { viewer.idleCount == 0 && viewer.processes.nextEnd == nil }
        }
        life.cancel()
        await life.value
    }

    @Test func `slow pages of one user do not block the pages of another user`() async throws {
        let worker = try place.script(
            """
            read request
            echo '{"locked":{"systemCalls":true,"landlockVersion":1}}'
            echo '{"opened":{"sizes":[{"width":72,"height":72}],"documentPages":[1]}}'
            read command
            case "$request" in *slow*) touch \(place.folder)/drawing; while :; do read more || exit; done;; esac
            echo '{"drawn":{"png":"iVBORw=="}}'
            read next
            """)
        let viewer = PageViewer(executable: worker, bounds: PageViewer.Bounds(concurrent: 1))
        defer { viewer.shutdown() }
        let (slow, quick) = (try documents(.numbered(pages: 1), id: "slow"), try documents(.numbered(pages: 1)))
        let tile = PageTile(page: 1, resolution: 72, x: 0, y: 0, width: 72, height: 72)
        let drawings = (0..<2).map { _ in Task { try await viewer.draw(tile, of: slow, for: "ann") } }
        try await eventually("the worker draws") { access("\(place.folder)/drawing", F_OK) == 0 }
        #expect(try await viewer.draw(tile, of: quick, for: "ben").png == "iVBORw==")
        for drawing in drawings { drawing.cancel() }
        for drawing in drawings { _ = await drawing.result }
    }

    @Test func `if a worker hangs while it draws a page, the worker is terminated after the request is canceled`()
        async throws
    {
        let worker = try place.script(
            """
            read request
            echo '{"locked":{"systemCalls":true,"landlockVersion":1}}'
            echo '{"opened":{"sizes":[{"width":72,"height":72}],"documentPages":[1]}}'
            read command
            touch \(place.folder)/drawing
            while :; do read more || exit; done
            """)
        let viewer = PageViewer(executable: worker)
        defer { viewer.shutdown() }
        let documents = try documents(.numbered(pages: 1))
        let drawing = Task {
            try await viewer.draw(
                PageTile(page: 1, resolution: 72, x: 0, y: 0, width: 72, height: 72), of: documents, for: "ann")
        }
        try await eventually("the worker draws") { access("\(place.folder)/drawing", F_OK) == 0 }
        drawing.cancel()
        await #expect(throws: CancellationError.self) { try await drawing.value }
        #expect(viewer.idleCount == 0)
    }
}

struct PageImageCacheTests {
    private func key(_ page: Int, _ id: String = "a") -> PageImageCache.Key {
        PageImageCache.Key(
            documents: ViewedDocuments(id: id, request: ViewRequest(documents: [])),
            tile: PageTile(page: page, resolution: 24, x: 0, y: 0, width: 1, height: 1))
    }

    private func picture(_ bytes: Int) -> PagePicture { PagePicture(png: [UInt8](repeating: 7, count: bytes)) }

    @Test func `the cache keeps the most recently used pictures up to its size limit`() async throws {
        let cache = PageImageCache(bytes: 1000)
        for page in 1...3 { _ = try await cache.picture(key(page)) { picture(300) } }
        _ = try await cache.picture(key(1)) {
            Issue.record("page 1 is stored"); return picture(1)
        }
        _ = try await cache.picture(key(4)) { picture(300) }
        #expect(cache.byteCount == 900 && cache.count == 3)
        _ = try await cache.picture(key(1)) {
            Issue.record("page 1 was used last"); return picture(1)
        }
        let again = try await cache.picture(key(2)) { picture(5) }
        #expect(again.png.count == 5, "page 2 was removed")
        _ = try await cache.picture(key(9)) { picture(2000) }
        #expect(cache.byteCount <= 1000)
        cache.remove(key(1).documents)
        #expect(cache.byteCount == 0 && cache.count == 0)
    }

    @Test func `if several clients concurrently request a picture, the picture is drawn only once`() async throws {
        let cache = PageImageCache()
        let (started, start) = AsyncStream<Void>.makeStream()
        let (allowed, allow) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await cache.picture(key(1)) {
                start.yield()
                for await _ in allowed { break }
                return picture(10)
            }
        }
        for await _ in started { break }
        let others = (0..<3).map { _ in
            Task {
                try await cache.picture(key(1)) {
                    Issue.record("drawn twice"); return picture(1)
                }
            }
        }
        allow.yield()
        #expect(try await first.value.png.count == 10)
        for other in others { #expect(try await other.value.png.count == 10) }
    }

    @Test func `a page is no longer drawn after all clients have canceled their requests for the page`() async throws {
        let cache = PageImageCache()
        let (started, start) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Bool>.makeStream()
        let client = Task {
            try await cache.picture(key(1)) {
                start.yield()
                // A stream without elements ends when its task is canceled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                end.yield(Task.isCancelled)
                return picture(1)
            }
        }
        for await _ in started { break }
        client.cancel()
        for await wasCanceled in ended {
            #expect(wasCanceled)
            break
        }
        await #expect(throws: CancellationError.self) { try await client.value }
        #expect(cache.count == 0)
    }
}
