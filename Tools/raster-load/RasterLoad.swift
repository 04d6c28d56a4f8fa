// Converts the pages of a document to raster data like printd, for scripts/bench.
//
//     raster-load WORKER DOCUMENT PAGES DPI FORMAT TYPE FOLDER
//
// FORMAT is `image/pwg-raster` or `image/urf`, and TYPE a pixel type such as `srgb_8` or `sgray_8`.

import Glibc
import PrintModel
import PrintWork

@main
enum RasterLoad {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 8, let resolution = Int(arguments[4]).flatMap(RasterResolution.init),
            let type = RasterType(rawValue: arguments[6])
        else {
            print("usage: raster-load WORKER DOCUMENT PAGES DPI FORMAT TYPE FOLDER")
            exit(64)
        }
        let folder = arguments[7]
        do {
            let pool = WorkerPool(executable: arguments[1])
            let paper = PrintPaper(media: .a4)
            let prepared = try await pool.prepare(
                PrepareRequest(
                    documents: [InputDocument(path: arguments[2], format: .pdf)],
                    imposition: Imposition(paper: paper, pageRanges: try PageRanges(arguments[3])),
                    output: "\(folder)/prepared.pdf")
            ) { _ in }
            let form = PixelForm(resolution: resolution, type: type, isGray: !type.isColor)
            let format = DocumentFormat(rawValue: arguments[5])
            let rendered = try await pool.render(
                RenderRequest(
                    document: "\(folder)/prepared.pdf", pages: 1...prepared.impressions,
                    pageCount: prepared.impressions, delivery: DeliveryFormat(format: format, pixels: form),
                    options: DeviceOptions(paper: paper, resolution: resolution))
            ) { _ in }
            print("\(prepared.impressions) pages, \(rendered.bytes) bytes")
        } catch {
            print("raster-load: \(error)")
            exit(1)
        }
    }
}
