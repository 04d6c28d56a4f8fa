import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessLaunch
import Testing

/// Tests of previews: documents as they would be printed, without a printer.
struct PreviewTests {
    private let place = Workplace()

    private func pdf(_ name: String, pages: Int) throws -> InputDocument {
        let path = "\(place.folder)/\(name)"
        try PDFBuilder.numbered(pages: pages).write(to: path)
        return InputDocument(path: path, name: name)
    }

    private func events(_ request: PreviewRequest, region: String? = nil) async throws -> [PreviewEvent] {
        var events: [PreviewEvent] = []
        let pool = WorkerPool(executable: BuiltPrograms.folder + "print-worker", isWarm: false)
        let run = PreviewRun(request: request, documents: ConvertingWorkerPool(pool: pool), region: region)
        try await run.run { events.append($0) }
        return events
    }

    private func descriptions(_ events: [PreviewEvent]) -> [PreviewedDocument] {
        events.compactMap { if case .document(let document) = $0 { document } else { nil } }
    }

    private func folder() throws -> String {
        let path = "\(place.folder)/preview"
        mkdir(path, 0o700)
        return path
    }

    @Test func `a preview of two documents reports the type, page count and images of each document`() async throws {
        let request = PreviewRequest(
            documents: [try pdf("a.pdf", pages: 3), try pdf("b.pdf", pages: 1)], folder: try folder(), resolution: 20,
            imageLimit: 10)
        let events = try await events(request)
        let documents = descriptions(events)
        #expect(documents.map(\.index) == [0, 1])
        #expect(documents.map(\.pages) == [3, 1] && documents.map(\.sides) == [3, 1])
        #expect(documents.map(\.type) == ["PDF document", "PDF document"])
        #expect(documents[0].paper.media.hasSameSize(as: .a4))
        let images = events.compactMap {
            if case .page(let index, let side, let path) = $0 { (index, side, path) } else { nil }
        }
        #expect(images.map { $0.0 } == [0, 0, 0, 1] && images.map { $0.1 } == [1, 2, 3, 1])
        #expect(
            images.map { String($0.2.dropFirst(place.folder.utf8.count)) } == [
                "/preview/1/page-0001.png", "/preview/1/page-0002.png", "/preview/1/page-0003.png",
                "/preview/2/page-0001.png",
            ])
        #expect(images.allSatisfy { access($0.2, R_OK) == 0 })
    }

    @Test func `the job options determine the pages, sides, sheets and paper of a preview, as in printing`()
        async throws
    {
        var request = PreviewRequest(documents: [try pdf("a.pdf", pages: 5)], folder: try folder(), resolution: 20)
        request.ticket.numberUp = NumberUp(count: 2)
        request.ticket.pageRanges = try PageRanges("1-4")
        request.ticket.duplex = .longEdge
        request.ticket.media = .a5
        let document = try #require(descriptions(try await events(request)).first)
        #expect(document.pages == 4 && document.sides == 2 && document.sheets == 1)
        #expect(document.paper.media.hasSameSize(as: .a5))
    }

    @Test func `the region determines the default paper of a preview`() async throws {
        let request = PreviewRequest(documents: [try pdf("a.pdf", pages: 1)], folder: try folder())
        #expect(
            descriptions(try await events(request, region: "US")).first?.paper.media.hasSameSize(as: .letter) == true)
    }

    @Test func `a preview draws at most the requested number of images`() async throws {
        let request = PreviewRequest(
            documents: [try pdf("a.pdf", pages: 9)], folder: try folder(), resolution: 20, imageLimit: 4)
        let events = try await events(request)
        #expect(descriptions(events).first?.sides == 9)
        #expect(events.count == 6 && events.last == .finished)
    }

    @Test func `in a preview of several documents, an unreadable document does not affect the other documents`()
        async throws
    {
        let empty = "\(place.folder)/empty.pdf"
        try Data().write(to: URL(filePath: empty))
        let damaged = "\(place.folder)/damaged.pdf"
        try Data("%PDF-1.7 and nothing else".utf8).write(to: URL(filePath: damaged))
        let request = PreviewRequest(
            documents: [
                InputDocument(path: "\(place.folder)/none.pdf"), InputDocument(path: empty),
                InputDocument(path: place.folder), InputDocument(path: "/dev/null"), InputDocument(path: damaged),
                try pdf("a.pdf", pages: 1),
            ], folder: try folder())
        let events = try await events(request)
        let errors = events.compactMap { if case .failed(_, let error) = $0 { error } else { nil } }
        #expect(errors.map(\.code) == [.documentMissing, .noPages, .documentMissing, .documentMissing, .damaged])
        #expect(errors[0].message == "cannot open '\(place.folder)/none.pdf': no such file or directory")
        #expect(errors[2].message == "'\(place.folder)' is a folder; specify files to preview")
        #expect(descriptions(events).map(\.index) == [5])
    }

    @Test func `a preview refuses an output folder that is a symbolic link`() async throws {
        let folder = try folder()
        let other = "\(place.folder)/other"
        mkdir(other, 0o700)
        symlink(other, "\(folder)/1")
        let request = PreviewRequest(
            documents: [try pdf("a.pdf", pages: 1)], folder: folder, resolution: 20, imageLimit: 1)
        #expect(try await refusal(request)?.contains("'\(folder)/1'") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == [])
    }

    @Test(.enabled(if: geteuid() == 0)) func `a preview refuses an output folder that belongs to another user`()
        async throws
    {
        let folder = try folder()
        for path in ["1", "2", "2/1"] { mkdir("\(folder)/\(path)", 0o777) }
        for path in ["1", "2/1"] { chown("\(folder)/\(path)", 65534, 65534) }
        let request = PreviewRequest(
            documents: [try pdf("a.pdf", pages: 1)], folder: folder, resolution: 20, imageLimit: 1)
        #expect(try await refusal(request)?.contains("choose another folder") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/1") == [])
        var second = request
        second.documents.append(try pdf("b.pdf", pages: 1))
        #expect(try await refusal(second, index: 1)?.contains("'\(folder)/2/1'") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/2/1") == [])
    }

    @Test func `a preview can reuse the output folder of an earlier preview of the same user`() async throws {
        let request = PreviewRequest(
            documents: [try pdf("a.pdf", pages: 1)], folder: try folder(), resolution: 20, imageLimit: 1)
        for _ in 1...2 { #expect(try await events(request).count == 3) }
    }

    /// Returns the message of the error that writing a document's images caused.
    private func refusal(_ request: PreviewRequest, index: Int = 0) async throws -> String? {
        for event in try await events(request) {
            if case .failed(index, let error) = event, error.code == .writeFailed { return error.message }
        }
        return nil
    }

    @Test func `if a document belongs to root, a preview does not change the permissions of the document's file`()
        async throws
    {
        let document = try pdf("a.pdf", pages: 1)
        chmod(document.path, 0o600)
        _ = try await events(PreviewRequest(documents: [document], folder: try folder()))
        var status = stat()
        #expect(stat(document.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600 && status.st_gid == getegid())
    }

    @Test
    func `'print-preview' writes a line for each result, and removes its temporary folder when standard input ends`()
        async throws
    {
        let folder = try folder()
        let request = PreviewRequest(
            documents: [try pdf("a.pdf", pages: 2)], folder: folder, isTemporary: true, resolution: 20, imageLimit: 10)
        let program = try InteractiveProcess(
            program: BuiltPrograms.folder + "print-preview", arguments: [], environment: ["LC_ALL=en_US.UTF-8"],
            errors: "/dev/null")
        try program.send(Array(try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")], until: .now + .seconds(60))
        var events: [PreviewEvent] = []
        while events.last != .finished {
            let line = try program.line(longest: 1 << 16, until: .now + .seconds(60))
            events.append(try JSONDecoder().decode(PreviewEvent.self, from: Data(line)))
        }
        #expect(events.count == 4 && events.last == .finished)
        #expect(descriptions(events).first?.paper.media.hasSameSize(as: .letter) == true)
        #expect(access("\(folder)/1/page-0002.png", R_OK) == 0)
        program.finishSending()
        #expect(throws: InteractiveProcess.Interruption.ended) {
            try program.line(longest: 1 << 16, until: .now + .seconds(60))
        }
        #expect(access(folder, F_OK) != 0)
    }
}
