// Finds LibreOffice and the fonts that Office documents use.

import FoundationEssentials
import Glibc
public import PrintModel

/// An installation of LibreOffice on this machine.
public struct OfficeInstallation: Hashable, Sendable {
    /// The path of LibreOffice's folder `program`.
    public let program: String

    /// The folders in which distributions install LibreOffice.
    private static let usual = [
        "/usr/lib/libreoffice/program", "/usr/lib64/libreoffice/program", "/opt/libreoffice/program",
        "/usr/local/lib/libreoffice/program",
    ]

    /// Finds the installation of LibreOffice; returns nil if LibreOffice is not installed.
    public static func find() -> OfficeInstallation? { usual.lazy.compactMap { OfficeInstallation(program: $0) }.first }

    /// Creates the installation in a folder; nil if the folder does not contain LibreOffice.
    public init?(program: String) {
        self.program = program
        guard ["libsofficeapp.so", "libmergedlo.so"].contains(where: has) else { return nil }
    }

    /// Returns whether LibreOffice can convert documents of a type.
    public func canConvert(_ type: DocumentType) -> Bool {
        OfficeModule(type).map { has($0.library) } ?? false
    }

    /// Whether LibreOffice can convert at least one type of document.
    var isUseful: Bool { OfficeModule.allCases.contains { has($0.library) } }

    private func has(_ file: String) -> Bool { access(program + "/" + file, F_OK) == 0 }
}

/// The fonts with the same character widths as the usual fonts of Office documents.
///
/// Without these fonts, lines and pages break at other positions than in the program that wrote the document.
public enum OfficeFonts {
    private static let packages = [
        ("LiberationSans-Regular", "fonts-liberation2"), ("Carlito-Regular", "fonts-crosextra-carlito"),
        ("Caladea-Regular", "fonts-crosextra-caladea"),
    ]

    /// Returns the Debian packages of the fonts that are not installed.
    ///
    /// - Parameter folders: The folders that contain fonts, directly or in subfolders.
    public static func missingPackages(
        in folders: [String] = ["/usr/share/fonts", "/usr/local/share/fonts"]
    ) -> [String] {
        var found: Set<Substring> = []
        for folder in folders {
            for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
                let file = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
                found.insert(file.prefix { $0 != "." })
            }
        }
        return packages.filter { !found.contains(Substring($0.0)) }.map(\.1)
    }
}

extension WorkError {
    /// Returns the error for a missing installation of LibreOffice.
    ///
    /// - Parameter type: The type of the document; nil for all types.
    static func officeMissing(for type: DocumentType? = nil) -> WorkError {
        let packages = (type.flatMap(OfficeModule.init).map { [$0] } ?? OfficeModule.allCases).map(\.package)
        return WorkError(
            .unsupportedFormat,
            "converting \(type.map { "documents of type '\($0.name)'" } ?? "Office documents") requires LibreOffice; "
                + "run 'apt install \(packages.joined(separator: " "))' or, in a checkout, 'scripts/setup documents'")
    }
}
