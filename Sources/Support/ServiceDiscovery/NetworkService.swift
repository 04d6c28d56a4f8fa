// Defines services and instance names of DNS-SD.

import PrintModel

/// A DNS-SD service of one type (RFC 6763 §7).
public struct NetworkService: Hashable, Sendable {
    /// The service type, such as `_ipp._tcp`.
    public var type: String
    /// The subtypes of the service, such as `_print`, without `._sub` and the type.
    ///
    /// Clients can also search for a subtype.
    public var subtypes: [String] = []
    /// The TCP port; 0 for a service that only reserves its name (Bonjour Printing 1.2.1, "flagship" service).
    public var port: Int
    /// The TXT record of the service.
    public var record = TXTRecord()
}

/// The rules for names of service instances: at most 63 bytes of UTF-8, without control characters (RFC 6763 §4.1.1).
public enum ServiceName {
    /// Returns a valid name: control characters become spaces, and a long name is truncated.
    public static func fitting(_ name: String) -> String {
        let printable = String(name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
        return printable.prefixOfUTF8(63)
    }

    /// Returns the next name to try when a name is in use: `Laser (2)` for `Laser`, `Laser (3)` for `Laser (2)`
    /// (Bonjour Printing 1.2.1, name conflicts).
    ///
    /// Avahi would choose `Laser #2`, a form that other printers do not use.
    public static func alternative(to name: String) -> String {
        var (base, number) = (name[...], 2)
        if name.last == ")", let open = name.lastIndex(of: "("), name[..<open].last == " ",
            let last = Int(name[name.index(after: open)...].dropLast()), (2..<100_000).contains(last)
        {
            (base, number) = (name[..<open].dropLast(), last + 1)
        }
        let ending = " (\(number))"
        return String(base).prefixOfUTF8(63 - ending.utf8.count) + ending
    }
}
