import PrintTestSupport
import Testing

@testable import PostgresClient

struct PostgresValueTests {
    @Test func `PostgreSQL returns the values of statement parameters unchanged`() throws {
        let (connection, _) = try connectToNewDatabase()
        for number in [0, 1, -1, .min, .max] {
            #expect(try connection.query("SELECT $1::bigint", [number])[0].int(0) == number)
        }
        for number in [0, -0.0, 1.0 / 3, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            let row = try connection.query("SELECT $1::float8", [number])[0]
            #expect(try row.double(0).bitPattern == number.bitPattern)
        }
        #expect(try connection.query("SELECT $1::float8", [Double.nan])[0].double(0).isNaN)
        for text in ["", "a", "Grüße, 印刷 🖨️", "'; DROP TABLE jobs; --", "\\x00"] {
            #expect(try connection.query("SELECT $1::text", [text])[0].string(0) == text)
        }
        for truth in [true, false] {
            #expect(try connection.query("SELECT $1::boolean", [truth])[0].bool(0) == truth)
        }
        let million = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        for bytes in [[], [0], Array(0...255), million] as [[UInt8]] {
            #expect(try connection.query("SELECT $1::bytea", [bytes])[0].bytes(0) == bytes)
        }
        let row = try connection.query(
            "SELECT $1::bigint, $2::text, $3::bytea, $4::float8, $5::boolean", [nil, nil, nil, nil, nil])[0]
        #expect(try row.optionalInt(0) == nil)
        #expect(try row.optionalString(1) == nil)
        #expect(try row.optionalBytes(2) == nil)
        #expect(try row.optionalDouble(3) == nil)
        #expect(try row.optionalBool(4) == nil)
    }

    @Test func `PostgreSQL returns the values of arrays unchanged`() throws {
        let (connection, _) = try connectToNewDatabase()
        let numbers: [Int?] = [0, nil, .min, .max]
        let doubles: [Double?] = [-0.0, 1.0 / 3, nil, .infinity]
        let texts: [String?] = ["", nil, "a\"b\\,{}", "Grüße 🖨️"]
        let bytes: [[UInt8]?] = [[], Array(0...255), nil, [0]]
        let rows = try connection.query(
            "SELECT * FROM unnest($1::bigint[], $2::float8[], $3::text[], $4::bytea[])",
            [
                PostgresArray(numbers, of: .bigint), PostgresArray(doubles, of: .double),
                PostgresArray(texts, of: .text), PostgresArray(bytes, of: .bytea),
            ])
        #expect(try rows.map { try $0.optionalInt(0) } == numbers)
        #expect(try rows.map { try $0.optionalDouble(1) } == doubles)
        #expect(try rows.map { try $0.optionalString(2) } == texts)
        #expect(try rows.map { try $0.optionalBytes(3) } == bytes)
        let none = try PostgresArray([], of: .text)
        #expect(try connection.query("SELECT cardinality($1::text[])", [none])[0].int(0) == 0)
        for value in [7, "a\0b"] as [any PostgresParameter] {
            #expect(postgresError { _ = try PostgresArray([value], of: .text) }?.kind == .misuse)
        }
    }

    @Test func `values of PostgreSQL types such as numeric, uuid and timestamptz are decoded`() throws {
        let (connection, _) = try connectToNewDatabase()
        let row = try connection.query(
            """
            SELECT (-5)::smallint, 4000000000::oid, sum(x), 1.5::real, '{"a": 1}'::jsonb,
                'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, '1970-01-01 00:00:01.000001+00'::timestamptz,
                'infinity'::timestamptz, '-12345.06700'::numeric, 0.00001::numeric, 1e10::numeric, 0::numeric
            FROM (VALUES (1::bigint), (2::bigint)) AS v (x)
            """)[0]
        #expect(try row.int(0) == -5)
        #expect(try row.int(1) == 4_000_000_000)
        #expect(try row.int(2) == 3)
        #expect(try row.double(3) == 1.5)
        #expect(try row.string(4) == #"{"a": 1}"#)
        #expect(try row.string(5) == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")
        #expect(try row.unixTime(6) == 1.000001)
        #expect(try row.unixTime(7) == .infinity)
        #expect(try row.string(8) == "-12345.06700")
        #expect(try row.string(9) == "0.00001")
        #expect(try row.int(10) == 10_000_000_000)
        #expect(try row.string(11) == "0")
    }

    @Test func `text with a zero byte is refused before the text is sent to PostgreSQL`() throws {
        let (connection, _) = try connectToNewDatabase()
        let error = postgresError { _ = try connection.query("SELECT $1::text", ["a\0b"]) }
        #expect(error?.kind == .misuse)
        #expect(postgresError { _ = try connection.query("SELECT '\0'") }?.kind == .misuse)
        #expect(connection.isOpen)
    }

    @Test func `a PostgreSQL row throws an error for NULL, for a missing column and for a value of the wrong type`()
        throws
    {
        let (connection, _) = try connectToNewDatabase()
        let rows = try connection.query("SELECT 'a'::text AS name, NULL::int, 1.5::numeric, 1::int")
        let accesses: [(PostgresRow) throws -> Void] = [
            { _ = try $0.int(0) }, { _ = try $0.int(1) }, { _ = try $0.int(2) }, { _ = try $0.string(3) },
            { _ = try $0.bytes(0) }, { _ = try $0.int(4) }, { _ = try $0.int(-1) }, { _ = try $0.optionalBool(0) },
        ]
        for access in accesses { #expect(postgresError { try access(rows[0]) }?.kind == .wrongType) }
        #expect(postgresError { _ = try rows[1].int(0) }?.kind == .wrongType)
        let message = postgresError { _ = try rows[0].int(0) }?.message
        #expect(message == "column 0 ('name') of the result has the type text, which cannot be read as an integer")
    }

    @Test func `'execute' returns the number of rows that the PostgreSQL statement changed`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript("CREATE TABLE t (id int PRIMARY KEY); CREATE INDEX ON t (id)")
        #expect(try connection.execute("INSERT INTO t SELECT generate_series(1, 5)") == 5)
        #expect(try connection.execute("DELETE FROM t WHERE id > $1", [3]) == 2)
        #expect(try connection.query("SELECT id FROM t ORDER BY id").map { try $0.int(0) } == [1, 2, 3])
    }
}
