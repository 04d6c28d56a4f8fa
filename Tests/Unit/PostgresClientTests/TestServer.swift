import Dispatch
import PrintTestSupport

@testable import PostgresClient

/// A new connection to a new database of the shared server.
func connectToNewDatabase() throws -> (connection: PostgresConnection, address: PostgresAddress) {
    let server = try PrivatePostgres.shared()
    let address = try PostgresAddress(server.address(database: try server.makeDatabase()))
    return (try PostgresConnection.connect(to: address), address)
}

/// Runs blocking work on a thread of libdispatch.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}

/// Returns the error of the client that `body` throws; nil if it throws no such error.
func postgresError(_ body: () throws -> Void) -> PostgresError? {
    do {
        try body()
        return nil
    } catch {
        return error as? PostgresError
    }
}

extension PostgresConnection {
    /// Waits until a query returns `true`; polls on the server.
    func waitUntil(_ condition: String, _ parameters: [(any PostgresParameter)?] = []) throws {
        for _ in 0..<3000 {
            if try query("SELECT (\(condition)), pg_sleep(0.01)", parameters)[0].optionalBool(0) == true { return }
        }
        throw NeverSo(condition, within: .seconds(30), at: "waitUntil")
    }
}
