// Converts the pages of a document to raster data like printd, for scripts/bench.
//
//     raster-load WORKER DOCUMENT PAGES DPI FOLDER

import Glibc
import PrintModel
import PrintWork

@main
enum RasterLoad {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let resolution = Int(arguments[4]).flatMap(RasterResolution.init) else {
            print("usage: raster-load WORKER DOCUMENT PAGES DPI FOLDER")
            exit(64)
        }
        do {
            let pool = WorkerPool(executable: arguments[1])
            let paper = PrintPaper(media: .a4)
            let prepared = try await pool.prepare(
                PrepareRequest(
                    documents: [InputDocument(path: arguments[2], format: .pdf)],
                    imposition: Imposition(paper: paper, pageRanges: try PageRanges(arguments[3])),
                    output: "\(arguments[5])/prepared.pdf")
            ) { _ in }
            let form = PixelForm(resolution: resolution, type: .color8, isGray: false)
            let rendered = try await pool.render(
                RenderRequest(
                    document: "\(arguments[5])/prepared.pdf", pages: 1...prepared.impressions,
                    pageCount: prepared.impressions, delivery: DeliveryFormat(format: .pwgRaster, pixels: form),
                    options: DeviceOptions(paper: paper, resolution: resolution))
            ) { _ in }
            print("\(prepared.impressions) pages, \(rendered.bytes) bytes")
        } catch {
            print("raster-load: \(error)")
            exit(1)
        }
    }
}
