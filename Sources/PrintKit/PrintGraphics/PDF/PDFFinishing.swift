// Completes PDFs with libqpdf after cairo has written the pages.

import CQPDF
import FoundationEssentials
import Glibc

final class Finishing {
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
            guard status.code == CQPDF_NONCONFORMING else { throw .writeFailed(name, cause: status.text) }
            throw GraphicsError(
                .nonconforming,
                "cannot write PDF/A: \(status.text); change the content, or set no conformance in the DocumentInfo")
        }
    }

    func add(metadata: Data) throws(GraphicsError) {
        try run { finishing, status in
            metadata.withUnsafeBytes { cqpdf_finish_metadata(finishing, $0.baseAddress, $0.count, status) }
        }
    }

    /// Adds the language, the structure, the output intent and the properties, and replaces colors.
    func complete(_ info: DocumentInfo, _ extras: PDFExtras) throws(GraphicsError) {
        try addColors(info, extras.marks)
        let showsTitle = info.title?.isEmpty == false && (info.isTagged || info.conformance != nil)
        try run { cqpdf_finish_reading($0, info.language, showsTitle, $1) }
        if info.isTagged { try addStructure(extras.tags) }
        if let profile = info.outputProfile ?? (info.conformance == nil ? nil : .sRGB) {
            try run { finishing, status in
                profile.data.withUnsafeBytes {
                    cqpdf_finish_output_intent(
                        finishing, $0.baseAddress, $0.count, Int32(profile.componentCount), profile.name, status)
                }
            }
        }
        guard let conformance = info.conformance else { return }
        let packet = XMPPacket(info, conformance, extras)
        for (key, text) in packet.properties { try run { cqpdf_finish_property($0, key, text, $1) } }
        try add(metadata: packet.data)
        cqpdf_finish_archive(finishing, conformance == .pdfA3b)
    }

    private func addColors(_ info: DocumentInfo, _ marks: ColorMarks) throws(GraphicsError) {
        let hasMarks = marks.hasInks || !marks.profiles.isEmpty
        guard hasMarks || info.writesGray else { return }
        for profile in marks.profiles {
            let number = Int32(ColorMarkers.shared.number(of: profile))
            try run { finishing, status in
                profile.data.withUnsafeBytes {
                    cqpdf_finish_profile(
                        finishing, number, $0.baseAddress, $0.count, Int32(profile.componentCount), status)
                }
            }
        }
        let meaning: cqpdf_marked = info.conformance == nil ? Self.anyMarked : Self.profileMarked
        try run { cqpdf_finish_colors($0, hasMarks ? meaning : nil, marks.hasInks || info.writesGray, $1) }
    }

    /// Looks up the color for which a marker stands.
    private static let anyMarked: cqpdf_marked = { red, green, blue, components, profile in
        let marker = ColorMarkers.Marker(red: red, green: green, blue: blue)
        return meaning(of: marker, components, profile)
    }

    /// Looks up the color of a profile for which a marker stands.
    private static let profileMarked: cqpdf_marked = { red, green, blue, components, profile in
        let marker = ColorMarkers.Marker(red: red, green: green, blue: blue)
        if case .cmyk = ColorMarkers.shared.components(of: marker) { return 0 }
        return meaning(of: marker, components, profile)
    }

    private static func meaning(
        of marker: ColorMarkers.Marker, _ components: UnsafeMutablePointer<Double>?,
        _ profile: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let values: [Double]
        switch ColorMarkers.shared.components(of: marker) {
        case .cmyk(let cyan, let magenta, let yellow, let black): values = [cyan, magenta, yellow, black]
        case .profile(let found, let parts, _, _, _):
            values = parts
            profile?.pointee = Int32(ColorMarkers.shared.number(of: found))
        case .rgb, .white, nil: values = []
        }
        for (index, value) in values.enumerated() { components?[index] = value }
        return Int32(values.count)
    }

    private func addStructure(_ alternatives: [String?]) throws(GraphicsError) {
        let texts = alternatives.map { text in text.map { $0.withCString { strdup($0) } } ?? nil }
        defer { for text in texts { free(text) } }
        try run { finishing, status in
            texts.map { UnsafePointer($0) }.withUnsafeBufferPointer {
                cqpdf_finish_structure(finishing, $0.count, $0.baseAddress, status)
            }
        }
    }
}

extension DocumentInfo {
    var isProtected: Bool { ownerPassword != nil || userPassword != nil }

    /// Whether libqpdf must add or replace parts of each document with these settings.
    var needsCompletion: Bool {
        language != nil || conformance != nil || isTagged || writesGray || outputProfile != nil
    }

    /// Checks the settings of a document with a conformance.
    ///
    /// - Throws: `nonconforming`.
    func check() throws(GraphicsError) {
        guard conformance != nil else { return }
        if isProtected {
            throw GraphicsError(
                .nonconforming, "a PDF/A document cannot have a password; set no password or no conformance")
        }
        if let outputProfile, outputProfile.componentCount != 3 {
            throw GraphicsError(
                .nonconforming,
                "the output profile '\(outputProfile.name)' of a PDF/A document is not an RGB profile; the colors of the"
                    + " document are RGB")
        }
    }
}
