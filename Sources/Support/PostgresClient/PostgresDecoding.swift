// Reads the binary forms of PostgreSQL's types.

/// The object identifiers (OIDs) of the PostgreSQL types that the client can read (`pg_type.dat`).
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let timestamptz: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802
    static let numeric: UInt32 = 1700
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let oid: UInt32 = 26
    /// The OIDs of `smallint`, `integer` and `bigint`.
    static let integers: Set<UInt32> = [21, 23, 20]
    /// The OIDs of `"char"`, `name`, `text`, `json`, `xml`, `unknown` (literals), `char(n)` and `varchar(n)`.
    static let texts: Set<UInt32> = [18, 19, 25, 114, 142, 705, 1042, 1043]

    private static let names: [UInt32: String] = [
        16: "boolean", 17: "bytea", 18: "\"char\"", 19: "name", 20: "bigint", 21: "smallint", 23: "integer", 25: "text",
        26: "oid", 114: "json", 700: "real", 701: "double precision", 1042: "char", 1043: "varchar", 1082: "date",
        1114: "timestamp", 1184: "timestamptz", 1186: "interval", 1700: "numeric", 2950: "uuid", 3802: "jsonb",
    ]

    /// Returns the name of a type, or its OID if the client does not know the name.
    static func name(_ type: UInt32) -> String { names[type] ?? "with OID \(type)" }
}

/// Functions that decode values in PostgreSQL's binary format.
///
/// Each function returns nil if the value has an unsuitable type, or if the result type cannot represent the value.
enum PostgresDecoding {
    /// The time 2000-01-01 00:00 UTC, from which PostgreSQL counts times, in microseconds since 1970.
    private static let epoch = 946_684_800_000_000

    static func int(_ type: UInt32, _ bytes: UnsafeRawBufferPointer) -> Int? {
        if PostgresType.integers.contains(type) { return integer(bytes) }
        if type == PostgresType.oid { return integer(bytes).map { $0 & 0xFFFF_FFFF } }
        if type == PostgresType.numeric {
            return decimal(bytes).flatMap { text in
                // A numeric with a scale ends with a fraction of zeros.
                let parts = text.split(separator: ".")
                guard parts.count == 1 || parts[1].allSatisfy({ $0 == "0" }) else { return nil }
                return Int(parts[0])
            }
        }
        return nil
    }

    static func double(_ type: UInt32, _ bytes: UnsafeRawBufferPointer) -> Double? {
        switch type {
        case PostgresType.float8 where bytes.count == 8: Double(bitPattern: UInt64(big(bytes)))
        case PostgresType.float4 where bytes.count == 4: Double(Float(bitPattern: UInt32(big(bytes))))
        case PostgresType.numeric: decimal(bytes).flatMap { Double($0) }
        default: nil
        }
    }

    static func bool(_ type: UInt32, _ bytes: UnsafeRawBufferPointer) -> Bool? {
        type == PostgresType.bool && bytes.count == 1 ? bytes[0] != 0 : nil
    }

    static func string(_ type: UInt32, _ bytes: UnsafeRawBufferPointer) -> String? {
        if PostgresType.texts.contains(type) { return String(validating: bytes, as: UTF8.self) }
        switch type {
        // The first byte of jsonb is the version of its format.
        case PostgresType.jsonb where bytes.first == 1:
            return String(validating: bytes.dropFirst(), as: UTF8.self)
        case PostgresType.uuid where bytes.count == 16:
            let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            return [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
                .map { $0.joined() }.joined(separator: "-")
        case PostgresType.numeric: return decimal(bytes)
        default: return nil
        }
    }

    static func unixTime(_ type: UInt32, _ bytes: UnsafeRawBufferPointer) -> Double? {
        guard type == PostgresType.timestamptz, bytes.count == 8, let microseconds = integer(bytes) else { return nil }
        if microseconds == .max { return .infinity }
        if microseconds == .min { return -.infinity }
        let (sum, overflows) = microseconds.addingReportingOverflow(epoch)
        return overflows ? nil : Double(sum) / 1_000_000
    }

    /// Returns a signed integer of 2, 4 or 8 bytes; nil for any other number of bytes.
    private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int? {
        switch bytes.count {
        case 2: Int(Int16(truncatingIfNeeded: big(bytes)))
        case 4: Int(Int32(truncatingIfNeeded: big(bytes)))
        case 8: Int(truncatingIfNeeded: big(bytes))
        default: nil
        }
    }

    private static func big(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Returns a `numeric` value as decimal text; nil for invalid bytes.
    ///
    /// The binary format begins with four numbers of 16 bits: the number of digits, the weight of the first digit, the
    /// sign and the number of decimal places. The digits in base 10,000 follow.
    private static func decimal(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8, bytes.count % 2 == 0 else { return nil }
        let words = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let (weight, sign, places) = (Int(Int16(bitPattern: words[1])), words[2], Int(words[3]))
        switch sign {
        case 0xC000: return "NaN"
        case 0xD000: return "Infinity"
        case 0xF000: return "-Infinity"
        default: break
        }
        let digits = words.dropFirst(4).map(Int.init)
        guard digits.count == Int(words[0]) else { return nil }
        /// Returns the base-10,000 digit with the weight `power`, as four decimal digits.
        func group(_ power: Int) -> String {
            let index = weight - power
            let text = String(digits.indices.contains(index) ? digits[index] : 0)
            return String(repeating: "0", count: 4 - text.count) + text
        }
        let whole = weight < 0 ? "" : (0...weight).reversed().map(group).joined()
        let trimmed = String(whole.drop { $0 == "0" })
        let fraction = (0..<(places + 3) / 4).map { group(-1 - $0) }.joined().prefix(places)
        let number = (trimmed.isEmpty ? "0" : trimmed) + (fraction.isEmpty ? "" : ".\(fraction)")
        return sign == 0x4000 ? "-\(number)" : number
    }
}
