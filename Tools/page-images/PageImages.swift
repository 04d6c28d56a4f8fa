// Draws pages of a document as they are printed: the worker's `prepare` imposes them, and its `rasterize` draws them.
//
// `scripts/compare-pages` and `scripts/compare-office` start this program. The program reads a `PageImagesRequest` from
// standard input, and writes a line of JSON for each group in the same order; or it reads a `PageCountsRequest`, and
// writes a line for each document. The workers have the limits and the sandbox of printd and printsim.

import FoundationEssentials
import Glibc
import PrintModel
import PrintWork

@main
enum PageImages {
    static func main() async {
        do {
            let input = standardInput()
            if let counts = try? JSONDecoder().decode(PageCountsRequest.self, from: input) {
                try await counts.answer { try write($0) }
                return
            }
            let request = try JSONDecoder().decode(PageImagesRequest.self, from: input)
            let pool = WorkerPool(executable: request.worker, isWarm: false, concurrent: 1)
            for (index, group) in request.groups.enumerated() {
                try write(await Drawing(request: request, index: index, group: group).outcome(pool))
            }
        } catch {
            print("page-images: \(error)")
            exit(1)
        }
    }

    private static func standardInput() -> Data {
        var data = Data()
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(STDIN_FILENO, &block, block.count), count > 0 {
            data.append(contentsOf: block[..<count])
        }
        return data
    }

    /// Writes a line at once, so that a reader has all earlier groups if a group exceeds the time limit.
    private static func write(_ outcome: some Encodable) throws {
        let line = try JSONEncoder().encode(outcome) + [UInt8(ascii: "\n")]
        line.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.write(STDOUT_FILENO, bytes.baseAddress! + sent, bytes.count - sent)
                guard count > 0 else { exit(1) }
                sent += count
            }
        }
    }
}

/// The result of drawing a group of pages.
struct Outcome: Encodable {
    /// The paths of the page images, one for each side; empty if the group failed.
    var images: [String] = []
    /// The notices about repaired, replaced or omitted content.
    var notices: [String] = []
    /// The error code, for programs; nil if the group succeeded.
    var code: WorkError.Code?
    /// The error message, for people.
    var message: String?
    /// The message of a library, or the signal that ended the worker.
    var detail: String?
}

/// The work for one group of pages.
struct Drawing {
    let request: PageImagesRequest
    let index: Int
    let group: PageImagesRequest.Group

    /// Imposes and draws the pages.
    func outcome(_ pool: WorkerPool) async -> Outcome {
        do {
            return try await drawn(pool)
        } catch let error as WorkError {
            return Outcome(code: error.code, message: error.message, detail: error.detail)
        } catch {
            return Outcome(code: .writeFailed, message: "\(error)")
        }
    }

    private func drawn(_ pool: WorkerPool) async throws -> Outcome {
        let folder = "\(request.output)/\(index)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let document = InputDocument(path: request.document, password: request.password, name: request.name)
        let prepared = "\(folder)/prepared.pdf"
        let made = try await pool.prepare(
            PrepareRequest(documents: [document], imposition: group.imposition(), output: prepared), progress: { _ in })
        let drawn = try await pool.rasterize(
            RasterizeRequest(
                document: InputDocument(path: prepared, format: .pdf, name: request.name), paper: group.paper,
                resolution: group.resolution, monochrome: group.monochrome, outputFolder: folder, scaling: .none),
            progress: { _ in })
        return Outcome(
            images: drawn.pages.map { "\(folder)/\($0.file)" }, notices: made.notices + drawn.notices)
    }
}
