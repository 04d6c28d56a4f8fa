// Reads the user units of pages, which poppler ignores.

import CQPDFReader
import FoundationEssentials
import Glibc

/// The size of each page's user space unit in points (ISO 32000-1 §7.7.3.3), nearly always 1.
///
/// The initializer reads the units with libqpdf only if the file contains `/UserUnit` or object streams, which can
/// contain `/UserUnit` in compressed form.
struct UserUnits {
    /// The user space units that differ from 1 point, in points, by page index.
    private var units: [Int: Double] = [:]

    /// Creates user space units of one point for all pages.
    init() {}

    /// Reads the user space units of a file.
    ///
    /// If libqpdf cannot read the file, all units are one point.
    init(path: String, password: String?, pageCount: Int) {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe),
            ["/UserUnit", "/ObjStm"].contains(where: { bytes.contains(name: $0) })
        else { return }

        units = QPDFReader.with { Self.units($0, path: path, password: password, pageCount: pageCount) } ?? [:]
    }

    private static func units(
        _ reader: qpdf_data, path: String, password: String?, pageCount: Int
    ) -> [Int: Double] {
        // In the result, bit 0 means warnings and bit 1 means errors.
        guard qpdf_read(reader, path, password) & 2 == 0, Int(qpdf_get_num_pages(reader)) == pageCount else {
            return [:]
        }
        var units: [Int: Double] = [:]
        for index in 0..<pageCount {
            let page = qpdf_get_page_n(reader, index)
            let entry = qpdf_oh_get_key(reader, page, "/UserUnit")
            if qpdf_oh_is_number(reader, entry) == QPDF_TRUE {
                let unit = qpdf_oh_get_numeric_value(reader, entry)
                if unit.isFinite, unit > 0, unit != 1 { units[index] = unit }
            }
            qpdf_oh_release(reader, entry)
            qpdf_oh_release(reader, page)
        }
        return units
    }

    subscript(index: Int) -> Double { units[index] ?? 1 }
}

extension Data {
    /// Returns whether a name such as `/UserUnit` occurs in the data.
    fileprivate func contains(name: String) -> Bool {
        let name = Array(name.utf8)
        return withUnsafeBytes { bytes in
            var rest = bytes[...]
            while rest.count >= name.count, let slash = rest.firstSlash {
                if slash + name.count <= bytes.count, memcmp(bytes.baseAddress! + slash, name, name.count) == 0 {
                    return true
                }
                rest = bytes[(slash + 1)...]
            }
            return false
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var firstSlash: Int? {
        let start = base.baseAddress! + startIndex
        return memchr(start, Int32(UInt8(ascii: "/")), count).map {
            startIndex + ($0 - UnsafeMutableRawPointer(mutating: start))
        }
    }
}
