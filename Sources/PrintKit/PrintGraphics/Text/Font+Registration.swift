// Fonts from files and data.

public import FoundationEssentials

extension Font {
    /// Registers the fonts of a TrueType or OpenType file or collection, and returns the names of their faces.
    ///
    ///     let names = try Font.register(contentsOf: URL(filePath: "Corporate.otf"))   // ["Corporate-Regular"]
    ///     let font = Font(name: names[0], size: 12)
    ///
    /// From then on, the whole process can use the fonts by these PostScript names, by their full names and by their
    /// families (`CTFontManagerRegisterFontsForURL`). PDFs embed the fonts. HTML layout, which is another process, does
    /// not know the fonts.
    ///
    /// A registration reads the configuration of all fonts again. Therefore register fonts when the program starts. The
    /// registration lasts as long as the process, which keeps a copy of the file in memory. The same font can be
    /// registered again, without effect.
    ///
    /// - Throws: `GraphicsError`: `unreadable`; `unsupportedFormat` for other formats, such as WOFF and Type 1;
    ///   `damaged`.
    @discardableResult
    public static func register(contentsOf url: URL) throws(GraphicsError) -> [String] {
        let data: Data
        do { data = try Data(contentsOf: url) } catch { throw .unreadable(url.path, cause: "\(error)") }
        return try register(data: data)
    }

    /// Registers the fonts in the data of a TrueType or OpenType file or collection, as `register(contentsOf:)` does.
    ///
    /// - Throws: `GraphicsError`: `unsupportedFormat` or `damaged`.
    @discardableResult
    public static func register(data: Data) throws(GraphicsError) -> [String] {
        try FontRegistry.shared.register(data)
    }
}
