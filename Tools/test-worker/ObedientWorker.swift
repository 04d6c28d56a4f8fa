// Executes the commands in a document's lines.

import FoundationEssentials
import Glibc
import PrintModel

/// A worker that executes the commands in a document's lines, and returns "ok" or the system's error message for each.
struct ObedientWorker: DocumentWorking {
    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        let results = try await obey(document.path, output: nil) { _ in }
        return DocumentSummary(format: .text, pageCount: results.count, title: "\(getpid())", notices: results)
    }

    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        var results: [String] = []
        for document in request.documents {
            results += try await obey(document.path, output: request.output, progress)
        }
        if access(request.output, F_OK) != 0 {
            try? "%PDF-1.7".write(toFile: request.output, atomically: false, encoding: .utf8)
        }
        return PreparedDocument(impressions: 1, sheets: 1, pages: 1, notices: results)
    }

    func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        if let pages = PagedDocument(path: request.document) { return render(pages, request, progress) }
        return RenderedDocument(bytes: try await obey(request.document, output: request.files[0], progress).count)
    }

    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        if let pages = PagedDocument(path: request.document.path) { return rasterize(pages, request, progress) }
        let results = try await obey(request.document.path, output: request.outputFolder + "/page-0001.png", progress)
        let pages = results.map { PageImage(page: 1, file: $0, width: 1, height: 1) }
        return RasterizedDocument(pages: pages, impressions: 1, sheets: 1)
    }

    private func obey(
        _ path: String, output: String?, _ progress: (WorkProgress) -> Void
    ) async throws(WorkError) -> [String] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw WorkError(.documentMissing, "'\(path)' cannot be read: \(String(cString: strerror(errno)))")
        }
        var results: [String] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            results.append(
                try await obey(words[0], words.dropFirst().first ?? "", output: output ?? "/nowhere", progress))
        }
        return results
    }

    /// Switches between tasks for three seconds; the sandbox must not mistake this for a violation.
    private static func linger() async {
        let end = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < end {
            async let other: Void = Task.yield()
            await other
        }
    }

    private func obey(
        _ order: String, _ argument: String, output: String, _ progress: (WorkProgress) -> Void
    ) async throws(WorkError) -> String {
        switch order {
        case "sleep": while true { pause() }
        case "burn": while true {}
        case "ignore":
            signal(SIGXCPU, SIG_IGN)
            return "ok"
        case "linger":
            await Self.linger()
            return "ok"
        case "eat": Hunger.eat()
        case "gulp": return Hunger.gulp()
        case "crash": abort()
        case "refuse": throw WorkError(.damaged, "the document is incomplete")
        case "chatter":
            print("library chatter", terminator: "\n")
            fflush(nil)
            return "ok"
        case "progress":
            let total = Int(argument) ?? 0
            for page in 1...total { progress(WorkProgress(page: page, total: total)) }
            return "ok"
        case "say": return argument
        case "calls": return RefusedCalls.notRefused(on: output + ".partial").joined(separator: ", ")
        case "remove": return Attempt.remove("\(WorkerRequest.folder(of: output))/\(argument)")
        case "write": return Attempt.write(mebibytes: Int(argument) ?? 1, to: output)
        default: return Attempt.attempt(order, argument)
        }
    }
}
