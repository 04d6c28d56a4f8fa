// Names the programs of LibreOffice.

/// A LibreOffice program: Writer, Calc or Impress.
///
/// Each program has a separate Debian package.
package enum OfficeModule: String, CaseIterable {
    case writer, calc, impress

    /// Determines the program for a type of document; nil for types that LibreOffice does not convert.
    package init?(_ type: DocumentType) {
        guard type.converter == .office else { return nil }
        let names = type.formats.map(\.rawValue) + [type.identifier]
        func has(_ words: String...) -> Bool { words.contains { word in names.contains { $0.contains(word) } } }
        self = has("spreadsheet", "excel") ? .calc : has("presentation", "powerpoint") ? .impress : .writer
    }

    /// The path of a library that exists only if the program is installed.
    package var library: String {
        switch self {
        case .writer: "libswlo.so"
        case .calc: "libsclo.so"
        case .impress: "libsdlo.so"
        }
    }

    /// The name of the Debian package that contains the program.
    package var package: String { "libreoffice-\(rawValue)-nogui" }
}
