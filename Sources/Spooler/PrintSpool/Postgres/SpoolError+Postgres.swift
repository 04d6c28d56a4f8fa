// Converts errors of PostgreSQL to errors of the spool.

import PostgresClient

extension SpoolError {
    /// Converts the error of a database call to an error of the spool in the database at `address`.
    static func postgres(_ error: any Error, address: PostgresAddress) -> SpoolError {
        switch error {
        case let error as SpoolError: error
        case let error as UnreadableJob: unreadable(error)
        case let error as DamagedValue:
            SpoolError(
                code: .corrupt, message: "the database '\(address)' contains damaged data: \(error); restore a backup",
                cause: error)
        case let error as UnknownOutcome:
            SpoolError(
                code: .unavailable,
                message: "it is unknown whether the database '\(address)' saved the change; "
                    + "check the queue with 'printq queue --all' before you repeat the command", cause: error)
        case let error as PostgresError: postgres(error, address: address)
        default:
            SpoolError(code: .unwritable, message: "cannot use the database '\(address)': \(error)", cause: error)
        }
    }

    private static func postgres(_ error: PostgresError, address: PostgresAddress) -> SpoolError {
        // The server's message may be long, and its detail may contain values of rows.
        let failure = "cannot use the database '\(address)' (\(error))"
        switch error.kind {
        case .closed: return closed
        case .diskFull:
            return SpoolError(
                code: .noSpace,
                message: "the server of the database '\(address)' has no free disk space; "
                    + "free some space and try again", cause: error)
        case .readOnly:
            return SpoolError(
                code: .unavailable, message: "\(failure); check that the address names the primary server",
                cause: error)
        case .unreachable, .staleServer, .connectionLost, .timeout, .serverShutsDown, .commitUncertain, .lockTimeout,
            .deadlock, .serialization:
            return SpoolError(
                code: .unavailable, message: "\(failure); check that the server runs, and try again", cause: error)
        case .badAddress, .authentication:
            return SpoolError(
                code: .unwritable, message: "\(failure); check the address and the password", cause: error)
        case .uniqueViolation, .misuse, .wrongType: return inconsistent(error)
        case .other:
            switch error.sqlState?.prefix(2) {
            // 55: a standby gives no transaction numbers.
            case "55":
                return SpoolError(
                    code: .unavailable, message: "\(failure); check that the address names the primary server",
                    cause: error)
            case "22", "23": return inconsistent(error)
            // 53: insufficient resources; 57: operator intervention, such as a canceled statement; 58: system error.
            case "53", "57", "58":
                return SpoolError(code: .unavailable, message: "\(failure); try again later", cause: error)
            case "XX": return SpoolError(code: .corrupt, message: "\(failure); check the server's log", cause: error)
            default:
                return SpoolError(
                    code: .unwritable, message: "\(failure); check the permissions of the database user", cause: error)
            }
        }
    }

    private static func inconsistent(_ error: PostgresError) -> SpoolError {
        SpoolError(
            code: .inconsistent,
            message: "the database refused an invalid value (\(error)); please report this bug", cause: error)
    }
}
