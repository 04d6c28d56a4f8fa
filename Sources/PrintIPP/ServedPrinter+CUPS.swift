// A printer, as CUPS sums it up.

import PrintModel

extension ServedPrinter {
    /// CUPS' summary of a printer (`printer-type`, cups.h `cups_ptype_e`): what its lists and icons go by.
    var cupsType: Int32 {
        var type: Int32 = 0x0004  // black and white
        if capabilities.colorModes.contains(.color) { type |= 0x0008 }
        if capabilities.duplexModes.count > 1 { type |= 0x0010 }
        if capabilities.maxCopies > 1 { type |= 0x0040 }
        if capabilities.collates { type |= 0x0080 }
        let lengths = capabilities.papers.map(\.media.height.millimeters)
        if lengths.contains(where: { $0 <= 356 }) { type |= 0x1000 }  // up to Legal
        if lengths.contains(where: { $0 > 356 && $0 <= 594 }) { type |= 0x2000 }  // up to A2
        if lengths.contains(where: { $0 > 594 }) { type |= 0x4000 }
        if capabilities.customMedia != nil { type |= 0x8000 }
        if isDefault { type |= 0x20000 }
        if !status.isAccepting { type |= 0x80000 }
        type |= 0x200000  // not shared with other servers
        return type
    }
}
