// The result of a statement.

import CLibpq

/// The rows that a statement returned, and the number of rows that the statement changed.
///
///     let rows = try connection.query("SELECT id, title FROM jobs WHERE printer = $1", [name])
///     for row in rows { print(try row.int(0), try row.optionalString(1) ?? "untitled") }
///
/// Invalid indices do not end the program. If a row or a column does not exist, reading a value throws an error.
public struct PostgresRows: RandomAccessCollection, Sendable {
    private let result: ResultMemory

    init(_ result: ResultMemory) { self.result = result }

    /// The position of the first row.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { result.rowCount }
    /// The row at an index.
    ///
    /// If the row does not exist, reading a value of the row throws an error.
    public subscript(index: Int) -> PostgresRow { PostgresRow(result, index) }

    /// The number of rows that the statement inserted, changed, deleted or returned.
    public var affectedRows: Int { result.affectedRows }
}

/// One row of a result.
///
/// Columns are counted from 0. Each function throws `wrongType` for NULL, an unsuitable type or a missing column. The
/// functions whose names begin with `optional` return nil for NULL.
public struct PostgresRow: Sendable {
    private let result: ResultMemory
    private let index: Int

    init(_ result: ResultMemory, _ index: Int) { (self.result, self.index) = (result, index) }

    /// The number of columns of the row.
    public var count: Int { result.columnCount }

    /// Returns the value of a column as an integer: `smallint`, `integer`, `bigint`, `oid`, or `numeric` without a
    /// fraction.
    public func int(_ column: Int) throws(PostgresError) -> Int { try required(column, optionalInt) }
    /// Returns the value of a column as an integer, or nil for NULL.
    public func optionalInt(_ column: Int) throws(PostgresError) -> Int? {
        try value(column, "an integer", PostgresDecoding.int)
    }

    /// Returns the value of a column as a floating-point number: `real`, `double precision` or `numeric`.
    public func double(_ column: Int) throws(PostgresError) -> Double { try required(column, optionalDouble) }
    /// Returns the value of a column as a floating-point number, or nil for NULL.
    public func optionalDouble(_ column: Int) throws(PostgresError) -> Double? {
        try value(column, "a floating-point number", PostgresDecoding.double)
    }

    /// Returns the value of a column as text: `text`, `varchar`, `char`, `name`, `json`, `jsonb`, `uuid` or `numeric`.
    public func string(_ column: Int) throws(PostgresError) -> String { try required(column, optionalString) }
    /// Returns the value of a column as text, or nil for NULL.
    public func optionalString(_ column: Int) throws(PostgresError) -> String? {
        try value(column, "text", PostgresDecoding.string)
    }

    /// Returns the value of a column of the type `boolean`.
    public func bool(_ column: Int) throws(PostgresError) -> Bool { try required(column, optionalBool) }
    /// Returns the value of a column of the type `boolean`, or nil for NULL.
    public func optionalBool(_ column: Int) throws(PostgresError) -> Bool? {
        try value(column, "a boolean", PostgresDecoding.bool)
    }

    /// Returns the bytes of a column of the type `bytea`.
    public func bytes(_ column: Int) throws(PostgresError) -> [UInt8] { try required(column, optionalBytes) }
    /// Returns the bytes of a column of the type `bytea`, or nil for NULL.
    public func optionalBytes(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try value(column, "bytea") { type, bytes in type == PostgresType.bytea ? Array(bytes) : nil }
    }

    /// Returns a `timestamptz` value as seconds since 1970; infinite for `infinity` and `-infinity`.
    public func unixTime(_ column: Int) throws(PostgresError) -> Double { try required(column, optionalUnixTime) }
    /// Returns a `timestamptz` value as seconds since 1970, or nil for NULL.
    public func optionalUnixTime(_ column: Int) throws(PostgresError) -> Double? {
        try value(column, "timestamptz", PostgresDecoding.unixTime)
    }

    /// Returns whether the value of a column is NULL.
    public func isNull(_ column: Int) throws(PostgresError) -> Bool { try field(column) == nil }

    private func required<Value>(
        _ column: Int, _ read: (Int) throws(PostgresError) -> Value?
    ) throws(PostgresError) -> Value {
        if let value = try read(column) { return value }
        throw PostgresError(.wrongType, "\(name(column)) of the result is NULL")
    }

    private func value<Value>(
        _ column: Int, _ expected: String, _ decode: (UInt32, UnsafeRawBufferPointer) -> Value?
    ) throws(PostgresError) -> Value? {
        guard let bytes = try field(column) else { return nil }
        let type = result.type(of: column)
        if let value = decode(type, bytes) { return value }
        throw PostgresError(
            .wrongType,
            "\(name(column)) of the result has the type \(PostgresType.name(type)), which cannot be read as \(expected)"
        )
    }

    private func field(_ column: Int) throws(PostgresError) -> UnsafeRawBufferPointer? {
        guard (0..<result.rowCount).contains(index) else {
            throw PostgresError(.wrongType, "no row \(index): the result has \(result.rowCount) rows")
        }
        guard (0..<result.columnCount).contains(column) else {
            throw PostgresError(.wrongType, "no column \(column): the result has \(result.columnCount) columns")
        }
        return result.field(row: index, column: column)
    }

    private func name(_ column: Int) -> String { "column \(column) ('\(result.name(of: column))')" }
}

/// The owner of a libpq result, which releases the memory of the result.
///
/// `@unchecked Sendable`: libpq does not change a result after returning the result, and the functions that read a
/// result are thread-safe.
final class ResultMemory: @unchecked Sendable {
    private let result: OpaquePointer

    /// Takes ownership of a result, which is released together with this object.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }
    var columnCount: Int { Int(PQnfields(result)) }
    var affectedRows: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
    var command: String { String(cString: PQcmdStatus(result)) }

    func type(of column: Int) -> UInt32 { PQftype(result, Int32(column)) }
    func name(of column: Int) -> String { PQfname(result, Int32(column)).map { String(cString: $0) } ?? "" }

    /// Returns the bytes of the value in an existing row and column; nil for NULL.
    ///
    /// The bytes are valid only during the lifetime of this object.
    func field(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, Int32(row), Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)),
            count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }
}
