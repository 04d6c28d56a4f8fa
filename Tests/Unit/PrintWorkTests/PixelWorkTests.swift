import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessPools
import Testing

/// Tests of raster documents in the sandboxed worker.
struct PixelWorkTests {
    private let place = Workplace()

    /// Returns a page of A3 at 600 dpi in color, 209 MB: horizontal noise, with each line repeated 16 times.
    private func largeRaster() -> [UInt8] {
        let (width, height) = (7_016, 9_921)
        var bytes = Array("RaS2".utf8) + [UInt8](repeating: 0, count: 1_796)
        for (offset, number) in [
            (276, 600), (280, 600), (372, width), (376, height), (384, 8), (388, 24), (392, width * 3), (400, 19),
        ] {
            for byte in 0..<4 { bytes[4 + offset + byte] = UInt8(number >> (24 - 8 * byte) & 0xFF) }
        }
        var random = SystemRandomNumberGenerator()
        for start in stride(from: 0, to: height, by: 16) {
            bytes.append(UInt8(min(16, height - start) - 1))
            for first in stride(from: 0, to: width, by: 128) {
                let count = min(128, width - first)
                bytes.append(UInt8(257 - count))
                bytes += (0..<count * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
        }
        return bytes
    }

    @Test func `a raster page is prepared even if it is larger than a worker's memory limit`() async throws {
        let path = "\(place.folder)/a3.pwg"
        try Data(largeRaster()).write(to: URL(fileURLWithPath: path))
        // Libraries and stacks use most of these 300 MB.
        let pool = WorkerPool(
            executable: BuiltPrograms.folder + "print-worker", limits: WorkerLimits(memoryBytes: 300 << 20))
        let request = PrepareRequest(
            documents: [InputDocument(path: path)], imposition: Imposition(paper: PrintPaper(media: .a3)),
            output: "\(place.folder)/prepared.pdf")
        #expect(try await pool.prepare(request) { _ in }.impressions == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: place.folder).sorted()
        #expect(files == ["a3.pwg", "prepared.pdf", "worker"])
    }

    @Test func `the worker returns a result or an error for every raster document with changed bytes`() async throws {
        // More mutations: PRINTQ_MUTATIONS=500.
        let count = ProcessInfo.processInfo.environment["PRINTQ_MUTATIONS"].flatMap { Int($0) } ?? 40
        let originals = RasterBuilder.Kind.all.flatMap { kind in
            [RasterBuilder.Format.pwg, .urf].filter { $0 == .pwg || kind.urfSpace != nil }.map { format in
                var raster = RasterBuilder(format, kind)
                raster.addPage("KK____\n_____K")
                raster.addPage("______\n_____K")
                return raster.bytes
            }
        }
        let pool = WorkerPool(executable: BuiltPrograms.folder + "print-worker")
        var mutations = ByteMutations()
        for round in 0..<count {
            let path = "\(place.folder)/mutated"
            try Data(mutations.mutated(originals[round % originals.count])).write(to: URL(fileURLWithPath: path))
            let request = PrepareRequest(
                documents: [InputDocument(path: path)], imposition: Imposition(paper: PrintPaper(media: .a4)),
                output: "\(place.folder)/prepared.pdf")
            do throws(WorkError) {
                let prepared = try await pool.prepare(request) { _ in }
                #expect(prepared.impressions > 0)
            } catch {
                #expect(
                    [.damaged, .outputTooLarge, .unsupportedFormat].contains(error.code),
                    "\(error), \(error.detail ?? "")")
            }
        }
    }
}
