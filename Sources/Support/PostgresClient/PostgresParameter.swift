// Parameters of statements.

/// A value that can be the parameter of a statement: `Int`, `Double`, `String`, `Bool`, `[UInt8]` (bytea), or
/// `PostgresArray`.
///
/// The server derives the type of each parameter from the statement. If the server cannot derive the type, as in
/// `SELECT $1`, the parameter is text. Write `$1::bigint` to specify the type.
///
/// In the array of parameters, `nil` means NULL.
public protocol PostgresParameter: Sendable {
    /// The value in the form that the client sends to the server.
    var postgresValue: PostgresValue { get }
}

/// The form of a parameter that the client sends to the server.
public enum PostgresValue: Sendable, Hashable {
    /// The text form of a value.
    case text(String)
    /// The binary form of a value.
    case binary([UInt8])
}

extension Int: PostgresParameter {
    /// The number in decimal digits.
    public var postgresValue: PostgresValue { .text(String(self)) }
}

extension Double: PostgresParameter {
    /// The number as text, with the smallest number of digits that identify this number.
    public var postgresValue: PostgresValue {
        .text(isNaN ? "NaN" : isInfinite ? (self < 0 ? "-Infinity" : "Infinity") : description)
    }
}

extension String: PostgresParameter {
    /// The text without changes.
    public var postgresValue: PostgresValue { .text(self) }
}

extension Bool: PostgresParameter {
    /// The text `t` for true or `f` for false.
    public var postgresValue: PostgresValue { .text(self ? "t" : "f") }
}

extension [UInt8]: PostgresParameter {
    /// The bytes without changes.
    public var postgresValue: PostgresValue { .binary(self) }
}

/// An array of values of one type, which can contain NULL.
///
///     INSERT INTO jobs (id, name) SELECT * FROM unnest($1::bigint[], $2::text[])
public struct PostgresArray: PostgresParameter {
    /// The type of the values, with its OID (`pg_type.dat`).
    public enum Element: UInt32, Sendable {
        /// Values of the type `[UInt8]`.
        case bytea = 17
        /// Values of the type `Int`.
        case bigint = 20
        /// Values of the type `String`.
        case text = 25
        /// Values of the type `Double`.
        case double = 701

        /// The array's type in SQL.
        public var arrayType: String {
            switch self {
            case .bytea: "bytea[]"
            case .bigint: "bigint[]"
            case .text: "text[]"
            case .double: "double precision[]"
            }
        }
    }

    private let bytes: [UInt8]

    /// Creates an array, in which nil is NULL.
    ///
    /// - Throws: `misuse` if a value has another type, or if a text contains a zero byte, which PostgreSQL cannot store.
    public init(_ values: [(any PostgresParameter)?], of element: Element) throws(PostgresError) {
        // The number of dimensions, whether there are NULL values, the type, the number of values, the first index
        // (array_send in the server's arrayfuncs.c). An empty array has no dimension.
        var bytes: [UInt8] = []
        func append(_ number: Int) { withUnsafeBytes(of: Int32(number).bigEndian) { bytes += $0 } }
        append(values.isEmpty ? 0 : 1)
        append(values.contains { $0 == nil } ? 1 : 0)
        append(Int(element.rawValue))
        if !values.isEmpty {
            append(values.count)
            append(1)
        }
        for value in values {
            switch (value, element) {
            case (nil, _): append(-1)
            case (let value as Int, .bigint):
                append(8)
                withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
            case (let value as Double, .double):
                append(8)
                withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes += $0 }
            case (let value as String, .text) where !value.utf8.contains(0):
                append(value.utf8.count)
                bytes += value.utf8
            case (let value as [UInt8], .bytea):
                append(value.count)
                bytes += value
            default:
                throw PostgresError(.misuse, "a \(element.arrayType) contains a value of another type or a zero byte")
            }
        }
        self.bytes = bytes
    }

    /// The array in the server's binary format.
    public var postgresValue: PostgresValue { .binary(bytes) }
}

/// The parameters of a statement, in the form that libpq requires.
struct ParameterList {
    /// The bytes of all values, one value after another; each text ends with a zero byte.
    private var storage: [UInt8] = []
    /// The position of each value in `storage`; nil for NULL.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    /// The format of each value: 0 for text, 1 for binary.
    private var formats: [Int32] = []

    /// The total size of the values, in bytes.
    var byteCount: Int { storage.count }

    /// Converts the parameters of a statement.
    ///
    /// - Throws: `misuse` if the statement or a text contains a zero byte, which PostgreSQL cannot store, or if a
    ///   binary value has more than 1 GiB.
    init(_ parameters: [(any PostgresParameter)?], of statement: String) throws(PostgresError) {
        guard !statement.utf8.contains(0) else { throw PostgresError(.misuse, "a statement contains a zero byte") }
        for (index, parameter) in parameters.enumerated() {
            offsets.append(parameter == nil ? nil : storage.count)
            switch parameter?.postgresValue {
            case .text(let text):
                guard !text.utf8.contains(0) else {
                    throw Self.refusal("is text with a zero byte, which PostgreSQL cannot store", index, statement)
                }
                lengths.append(0)
                formats.append(0)
                storage += text.utf8
                storage.append(0)
            case .binary(let bytes):
                guard bytes.count <= 1 << 30 else { throw Self.refusal("has more than 1 GiB", index, statement) }
                lengths.append(Int32(bytes.count))
                formats.append(1)
                storage += bytes
            case nil:
                lengths.append(0)
                formats.append(0)
            }
        }
        // An empty value needs a pointer too, because a null pointer is NULL.
        storage.append(0)
    }

    private static func refusal(_ reason: String, _ index: Int, _ statement: String) -> PostgresError {
        PostgresError(.misuse, "parameter $\(index + 1) of a statement \(reason)", statement: statement)
    }

    /// Calls `body` with the arguments for libpq: the number of parameters, their values, their lengths and their
    /// formats.
    func withPointers<Value>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Value
    ) -> Value {
        storage.withUnsafeBufferPointer { storage in
            storage.withMemoryRebound(to: CChar.self) { storage in
                // One unused element, so that each array has an address.
                let values = offsets.map { $0.flatMap { storage.baseAddress?.advanced(by: $0) } } + [nil]
                return body(Int32(clamping: offsets.count), values, lengths + [0], formats + [0])
            }
        }
    }
}
