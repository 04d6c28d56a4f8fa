// The fonts that a program registers besides the installed fonts.

import CCairo
import FoundationEssentials
import Synchronization

/// The registered fonts, and the catalog of all fonts.
///
/// Fontconfig's configurations can be read by several threads but not changed. Therefore each registration makes a new
/// configuration, and the text engines and caches of older versions are replaced when they are used next.
final class FontRegistry: Sendable {
    static let shared = FontRegistry()

    private struct Registered {
        var file: MemoryFile
        var size: Int
        var names: [String]
    }

    private struct State {
        var fonts: [Registered] = []
        var catalog: FontCatalog?
    }

    private let state = Mutex(State())
    private let registrations = Atomic(0)

    /// A number that increases with each registration.
    var version: Int { registrations.load(ordering: .acquiring) }

    /// The installed and registered fonts, and their version.
    var catalog: (fonts: FontCatalog, version: Int) {
        state.withLock { state in
            let catalog = state.catalog ?? FontCatalog()
            state.catalog = catalog
            return (catalog, version)
        }
    }

    /// Registers the faces of a font file, and returns their names.
    ///
    /// The same data can be registered several times, without effect after the first time.
    func register(_ data: Data) throws(GraphicsError) -> [String] {
        try FontFile(data).check()
        return try state.withLock { state throws(GraphicsError) in
            for font in state.fonts where font.size == data.count {
                if try font.file.data() == data { return font.names }
            }
            // Cairo opens the file whenever it needs the font, so the file stays in memory as long as the process.
            let file = try MemoryFile(data)
            let names = try Self.names(ofFontsAt: file.path)
            try Self.use(state.fonts.map(\.file) + [file])
            state.fonts.append(Registered(file: file, size: data.count, names: names))
            state.catalog = nil
            registrations.add(1, ordering: .acquiringAndReleasing)
            return names
        }
    }

    /// Makes a configuration of the installed fonts and the given files the current configuration.
    private static func use(_ files: [MemoryFile]) throws(GraphicsError) {
        guard let config = FcInitLoadConfigAndFonts() else {
            throw .refused(by: "fontconfig", cause: "the configuration cannot be loaded")
        }
        defer { FcConfigDestroy(config) }
        for file in files where FcConfigAppFontAddFile(config, file.path) == 0 { throw .damagedFont("unknown format") }
        guard FcConfigSetCurrent(config) != 0 else {
            throw .refused(by: "fontconfig", cause: "the configuration cannot be changed")
        }
    }

    private static func names(ofFontsAt path: String) throws(GraphicsError) -> [String] {
        guard let set = FcFontSetCreate() else { throw .noMemory("a font") }
        defer { FcFontSetDestroy(set) }
        var count: Int32 = 0
        FcFreeTypeQueryAll(path, .max, nil, &count, set)
        var names: [String] = []
        for index in 0..<Int(set.pointee.nfont) {
            guard let font = set.pointee.fonts[index] else { continue }
            let all = font.strings(FC_POSTSCRIPT_NAME) + font.strings(FC_FULLNAME) + font.strings(FC_FAMILY)
            if let name = all.first, !names.contains(name) { names.append(name) }
        }
        guard !names.isEmpty else { throw .damagedFont("the font has no face with a name") }
        return names
    }
}

/// The tables of a font file (OpenType 1.9, "Font file").
private struct FontFile {
    private let data: Data

    init(_ data: Data) { self.data = data }

    /// Checks that all tables lie within the file and that the necessary tables exist.
    ///
    /// FreeType ignores tables beyond the end of a file, so that text in a truncated font would be invisible.
    ///
    /// - Throws: `unsupportedFormat` or `damaged`.
    func check() throws(GraphicsError) {
        guard data.count >= 12 else { throw .unknownFont }
        guard tag(at: 0) == "ttcf" else { return try checkFace(at: 0) }
        let count = number(at: 8)
        guard count > 0, count <= 1000, data.count >= 12 + 4 * count else {
            throw .damagedFont("the file is truncated")
        }
        for index in 0..<count { try checkFace(at: number(at: 12 + 4 * index)) }
    }

    private func checkFace(at start: Int) throws(GraphicsError) {
        guard start + 12 <= data.count else { throw .damagedFont("the file is truncated") }
        guard ["\0\u{1}\0\0", "OTTO", "true"].contains(tag(at: start)) else { throw .unknownFont }
        let count = number(at: start + 4) >> 16
        guard start + 12 + 16 * count <= data.count else { throw .damagedFont("the file is truncated") }
        var tables: Set<String> = []
        for record in (0..<count).map({ start + 12 + 16 * $0 }) {
            guard number(at: record + 8) + number(at: record + 12) <= data.count else {
                throw .damagedFont("the table '\(tag(at: record))' is outside of the file")
            }
            tables.insert(tag(at: record))
        }
        for name in ["cmap", "head", "hhea", "hmtx", "maxp", "name"] where !tables.contains(name) {
            throw .damagedFont("the table '\(name)' is missing")
        }
        let outlines: Set = ["glyf", "CFF ", "CFF2", "CBDT", "sbix"]
        guard !outlines.isDisjoint(with: tables) else { throw .damagedFont("the font has no glyphs") }
    }

    private func tag(at offset: Int) -> String {
        String(String.UnicodeScalarView(bytes(offset).map { Unicode.Scalar($0) }))
    }

    private func number(at offset: Int) -> Int { bytes(offset).reduce(0) { $0 << 8 | Int($1) } }

    private func bytes(_ offset: Int) -> Data { data.dropFirst(offset).prefix(4) }
}

extension GraphicsError {
    fileprivate static let unknownFont = GraphicsError(
        .unsupportedFormat, "cannot register a font: the data is not a TrueType or OpenType font or collection")

    fileprivate static func damagedFont(_ cause: String) -> GraphicsError {
        GraphicsError(.damaged, "cannot register a font: the font is damaged; get a new copy of the file", cause: cause)
    }
}
