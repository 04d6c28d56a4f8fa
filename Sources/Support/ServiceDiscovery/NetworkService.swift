// What is published, in DNS-SD's words.

/// A service of one type (RFC 6763 §7).
public struct NetworkService: Hashable, Sendable {
    /// Its type: `_ipp._tcp`.
    public var type: String
    /// The sub-types by which it can be looked for as well, without `._sub` and type: `_print`.
    public var subtypes: [String] = []
    /// Its TCP port; 0 when nothing listens and only the name is held (Bonjour Printing 1.2.1, "flagship" service).
    public var port: Int
    /// What it says of itself.
    public var record = TXTRecord()
}

/// The rules for names of service instances: at most 63 bytes of UTF-8, without control characters (RFC 6763 §4.1.1).
public enum ServiceName {
    /// A name as it can be published: control characters become spaces, and what is too long is cut.
    public static func fitting(_ name: String) -> String {
        let printable = String(name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
        return printable.prefix(utf8: 63)
    }

    /// The name to try when one is taken: `Laser` becomes `Laser (2)`, that `Laser (3)` (Bonjour Printing 1.2.1, name
    /// conflicts).
    ///
    /// Avahi's own rule says `Laser #2`, which no other printer does.
    public static func alternative(to name: String) -> String {
        var (base, number) = (name[...], 2)
        if name.last == ")", let open = name.lastIndex(of: "("), name[..<open].last == " ",
            let last = Int(name[name.index(after: open)...].dropLast()), (2..<100_000).contains(last)
        {
            (base, number) = (name[..<open].dropLast(), last + 1)
        }
        let ending = " (\(number))"
        return String(base).prefix(utf8: 63 - ending.utf8.count) + ending
    }
}
