// Finds references of SVG drawings to other files and web addresses, for notices.

/// A search of SVG drawings for references to other files and web addresses, which librsvg does not load.
///
/// The search reads the text without parsing the XML. The search can miss a reference in an unusual form. The result
/// only determines whether the user sees a notice, because librsvg loads no other file in any case.
enum ExternalReferences {
    /// The XML tags that load the target of their `href` attribute.
    ///
    /// An `a` element is a link, and does not load its target.
    private static let elements = ["image", "use", "feImage", "tref", "script", "xi:include", "?xml-stylesheet"]

    /// Returns whether a drawing refers to content outside of the drawing's file.
    static func exist(in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { text in
            var position = 0
            while position < text.count {
                switch text[position] {
                case UInt8(ascii: "<"):
                    if isExternalElement(text, after: position + 1) { return true }
                case UInt8(ascii: "@"):
                    if has("import", text, at: position + 1) { return true }
                case UInt8(ascii: "u"):
                    if has("url(", text, at: position), isExternal(text, at: position + 4) { return true }
                default: break
                }
                position += 1
            }
            return false
        }
    }

    private static func has(_ word: String, _ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        position + word.utf8.count <= text.count && text[position...].starts(with: word.utf8)
    }

    private static func isExternalElement(_ text: UnsafeBufferPointer<UInt8>, after start: Int) -> Bool {
        let nameEnd = text[start...].prefix(64).firstIndex { $0 <= 32 || $0 == UInt8(ascii: ">") } ?? text.count
        let name = String(decoding: text[start..<min(nameEnd, text.count)], as: UTF8.self)
        // Elements may have the prefix of the SVG namespace.
        let isKnown = elements.contains { name == $0 || name.hasSuffix(":\($0)") }
        guard isKnown else { return false }
        var position = nameEnd
        while position < text.count, text[position] != UInt8(ascii: ">") {
            if has("href", text, at: position) {
                var value = position + 4
                while value < text.count, text[value] <= 32 || text[value] == UInt8(ascii: "=") { value += 1 }
                if isExternal(text, at: value) { return true }
            }
            position += 1
        }
        return false
    }

    /// Returns whether a reference points outside of the drawing.
    ///
    /// References to fragments of the drawing and `data:` URIs do not point outside.
    private static func isExternal(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var start = start
        while start < text.count, text[start] <= 32 || text[start] == 34 || text[start] == 39 { start += 1 }
        guard start < text.count else { return false }
        return text[start] != UInt8(ascii: "#") && !has("data:", text, at: start)
    }
}
