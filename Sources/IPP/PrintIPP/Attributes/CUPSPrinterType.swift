// The `printer-type` attribute of CUPS.

package import IPP
import PrintModel

/// A set of flags for a printer's kind and capabilities (`printer-type` of CUPS, `cups_ptype_e` in cups.h).
package struct CUPSPrinterType: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The flag of a printer class: several printers that share one queue.
    package static let isClass = CUPSPrinterType(rawValue: 0x0001)
    static let blackAndWhite = CUPSPrinterType(rawValue: 0x0004)
    static let color = CUPSPrinterType(rawValue: 0x0008)
    static let duplex = CUPSPrinterType(rawValue: 0x0010)
    static let copies = CUPSPrinterType(rawValue: 0x0040)
    static let collates = CUPSPrinterType(rawValue: 0x0080)
    /// The flag of a printer that supports paper sizes up to Legal.
    static let small = CUPSPrinterType(rawValue: 0x1000)
    /// The flag of a printer that supports paper sizes longer than Legal, up to A2.
    static let medium = CUPSPrinterType(rawValue: 0x2000)
    /// The flag of a printer that supports paper sizes longer than A2.
    static let large = CUPSPrinterType(rawValue: 0x4000)
    /// The flag of a printer that supports custom paper sizes.
    static let customSizes = CUPSPrinterType(rawValue: 0x8000)
    package static let isDefault = CUPSPrinterType(rawValue: 0x20000)
    static let isRejecting = CUPSPrinterType(rawValue: 0x80000)
    /// The flag of a printer that the server does not share with other computers.
    static let isNotShared = CUPSPrinterType(rawValue: 0x200000)
}

extension AttributeGroup {
    /// The value of `printer-type`, or an empty set if the attribute is missing.
    package var cupsPrinterType: CUPSPrinterType { CUPSPrinterType(rawValue: integer("printer-type") ?? 0) }
}

extension ServedPrinter {
    var cupsType: CUPSPrinterType {
        var type: CUPSPrinterType = [.blackAndWhite, .isNotShared]
        if capabilities.colorModes.contains(.color) { type.insert(.color) }
        if capabilities.duplexModes.count > 1 { type.insert(.duplex) }
        if capabilities.maxCopies > 1 { type.insert(.copies) }
        if capabilities.collates { type.insert(.collates) }
        let lengths = capabilities.papers.map(\.media.height.millimeters)
        if lengths.contains(where: { $0 <= 356 }) { type.insert(.small) }
        if lengths.contains(where: { $0 > 356 && $0 <= 594 }) { type.insert(.medium) }
        if lengths.contains(where: { $0 > 594 }) { type.insert(.large) }
        if capabilities.customMedia != nil { type.insert(.customSizes) }
        if isDefault { type.insert(.isDefault) }
        if !status.isAccepting { type.insert(.isRejecting) }
        return type
    }
}
