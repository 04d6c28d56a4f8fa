import Testing

@testable import PostgresClient

struct PostgresErrorTests {
    @Test(
        arguments: [
            ("57P01", .serverShutsDown), ("57P03", .serverShutsDown), ("25006", .readOnly), ("53100", .diskFull),
            ("55P03", .lockTimeout), ("40P01", .deadlock), ("40001", .serialization),
            ("23505", .uniqueViolation(constraint: "c")), ("28P01", .authentication), ("28000", .authentication),
            ("08006", .connectionLost), ("42601", .other),
        ] as [(String, PostgresError.Kind)])
    func `each SQLSTATE is converted to the matching kind of PostgreSQL error`(state: String, kind: PostgresError.Kind)
    {
        #expect(PostgresError.Kind(sqlState: state, constraint: "c") == kind)
    }

    @Test func `the SQLSTATE of a refused PostgreSQL connection is parsed from the verbose message`() {
        let error = PostgresError(
            connecting: """
                connection to server at "db1", port 5432 failed: FATAL:  28P01: password authentication failed for user "u"
                LOCATION:  auth_failed, auth.c:334

                """)
        #expect(error.kind == .authentication)
        #expect(error.sqlState == "28P01")
        #expect(error.message.hasSuffix("failed: FATAL:  password authentication failed for user \"u\""))
        #expect(!error.isRetrySafe)
    }

    @Test func `a refused PostgreSQL connection without an SQLSTATE causes the error '.unreachable'`() {
        let error = PostgresError(connecting: "connection to server failed: Connection refused\n\tIs it running?\n")
        #expect(error.kind == .unreachable)
        #expect(
            error.message
                == "cannot connect to PostgreSQL: connection to server failed: Connection refused; Is it running?")
        #expect(error.isRetrySafe)
    }

    @Test func `a retry is unsafe after an uncertain PostgreSQL commit, and safe after a serialization failure`() {
        #expect(!PostgresError(.commitUncertain, "").isRetrySafe)
        #expect(PostgresError(.serialization, "").isRetrySafe)
    }
}
