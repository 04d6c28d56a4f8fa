import Foundation
import PrintModel
import PrintTestSupport
import Testing

@testable import ProcessPools

/// Tests of the private folders of conversions.
struct ScratchPlaceTests {
    @Test func `an error of the output file is reported as an error of the PDF, not of the document`() throws {
        let folder = try TemporaryFolder()
        let place = ScratchPlace(folder: folder.path("place"), user: nil)
        try place.create()
        try Data("%PDF-1.4".utf8).write(to: URL(filePath: folder.path("place/work/document.pdf")))
        let error = #expect(throws: WorkError.self) {
            try place.deliver(to: folder.path("missing/document.pdf"), limit: 1 << 20)
        }
        #expect(error?.code == .writeFailed)
        #expect(
            error?.message
                == "the PDF of the document cannot be written: No such file or directory; check the free disk space")
        try place.deliver(to: folder.path("document.pdf"), limit: 1 << 20)
    }
}
