// The parts of a PDF that cairo does not write.

import CQPDF
import FoundationEssentials
import Glibc

/// The page boxes, links and other parts that cairo does not write.
///
/// Drawing collects the parts, and libqpdf adds the parts after cairo has written the pages.
///
/// Positions are in points from the lower left corner of the page, as in PDF.
struct PDFExtras {
    var boxes: [(page: Int, boxes: PageBoxes, bounds: Rect)] = []
    var links: [Link] = []
    var destinations: [(name: String, page: Int, point: Point)] = []
    var outline: [(title: String, level: Int, page: Int, point: Point)] = []
    var attachments: [Attachment] = []
    var metadata: Data?
    /// The embedded pages of other documents, with the names of their marker images.
    var forms: [(marker: String, page: PDFPage, image: Image)] = []

    struct Link {
        var page: Int
        var rect: Rect
        var target: Target
    }

    enum Target {
        case address(String)
        case destination(String)
    }

    struct Attachment {
        var name: String
        var description: String
        var type: String
        var data: Data
    }

    /// Returns whether the document has parts that cairo does not write.
    func isNeeded(for info: DocumentInfo) -> Bool {
        info.isProtected || metadata != nil
            || !(boxes.isEmpty && links.isEmpty && destinations.isEmpty && outline.isEmpty && attachments.isEmpty
                && forms.isEmpty)
    }

    /// Writes the PDF at `path` with the collected parts to the existing file `output`.
    ///
    /// Error messages contain `name` instead of the paths.
    func add(
        to path: String, output: String, named name: String, info: DocumentInfo
    ) throws(GraphicsError) {
        let work = try Finishing(path: path, name: name)
        for (page, boxes, bounds) in boxes {
            for (key, box) in [
                ("/CropBox", boxes.crop), ("/BleedBox", boxes.bleed), ("/TrimBox", boxes.trim), ("/ArtBox", boxes.art),
            ] {
                guard let box, box.isFinite, !box.isEmpty else { continue }
                try work.run { cqpdf_finish_box($0, page, key, box.upwards(in: bounds).edges, $1) }
            }
        }
        for link in links { try add(link, work) }
        for (name, page, point) in destinations {
            try work.run { cqpdf_finish_destination($0, name, page, point.x, point.y, $1) }
        }
        for (title, level, page, point) in outline {
            try work.run { cqpdf_finish_outline($0, title, max(level, 0), page, point.x, point.y, $1) }
        }
        for file in attachments {
            try work.run { finishing, status in
                file.data.withUnsafeBytes {
                    cqpdf_finish_attachment(
                        finishing, file.name, file.description, file.type, $0.baseAddress, $0.count, status)
                }
            }
        }
        if let metadata {
            try work.run { finishing, status in
                metadata.withUnsafeBytes { cqpdf_finish_metadata(finishing, $0.baseAddress, $0.count, status) }
            }
        }
        for (marker, page, _) in forms {
            try work.run { cqpdf_finish_form($0, marker, page.file.document, page.index, $1) }
        }
        try work.write(info, to: output)
    }

    private func add(_ link: Link, _ work: Finishing) throws(GraphicsError) {
        let edges = link.rect.edges
        switch link.target {
        case .address(let address):
            try work.run { cqpdf_finish_link($0, link.page, edges, address, nil, $1) }
        case .destination(let name):
            try work.run { cqpdf_finish_link($0, link.page, edges, nil, name, $1) }
        }
    }
}

private final class Finishing {
    private let name: String
    private let finishing: OpaquePointer

    init(path: String, name: String) throws(GraphicsError) {
        var status = cqpdf_status()
        guard let finishing = cqpdf_finish_open(path, &status) else {
            throw .refused(by: "libqpdf", cause: status.text)
        }
        (self.name, self.finishing) = (name, finishing)
    }

    deinit { cqpdf_finish_close(finishing) }

    func run(_ step: (OpaquePointer, UnsafeMutablePointer<cqpdf_status>) -> Bool) throws(GraphicsError) {
        var status = cqpdf_status()
        guard step(finishing, &status) else { throw .refused(by: "libqpdf", cause: status.text) }
    }

    func write(_ info: DocumentInfo, to output: String) throws(GraphicsError) {
        let allowed = info.permissions
        let permissions = cqpdf_permissions(
            print: allowed.contains(.printing), print_well: allowed.contains(.highQualityPrinting),
            copy: allowed.contains(.copying), change: allowed.contains(.changing),
            comment: allowed.contains(.commenting), assemble: allowed.contains(.assembling))
        var status = cqpdf_status()
        // Without an owner password, every reader would have all permissions.
        let owner = info.isProtected ? info.ownerPassword ?? UUID().uuidString : nil
        guard cqpdf_finish_write(finishing, output, info.userPassword, owner, permissions, &status) else {
            throw .writeFailed(name, cause: status.text)
        }
    }
}

extension DocumentInfo {
    var isProtected: Bool { ownerPassword != nil || userPassword != nil }
}

extension cqpdf_status {
    var text: String {
        withUnsafeBytes(of: words) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension Rect {
    /// The coordinates of the left, bottom, right and top edges of a rectangle; y grows upwards.
    fileprivate var edges: [Double] { [minX, minY, maxX, maxY] }

    /// Returns the rectangle relative to the lower left corner of a page, with y growing upwards.
    func upwards(in page: Rect) -> Rect {
        Rect(x: minX - page.minX, y: page.maxY - maxY, width: width, height: height)
    }
}
