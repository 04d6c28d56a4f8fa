// Users for tests of IPP services.

public import PrintIPP
import Synchronization

/// Accounts that exist in tests only: every name that is asked for has one.
public final class TestAccounts: Sendable {
    /// The accounts that all tests share.
    public static let shared = TestAccounts()

    private let names = Mutex<[String]>([])

    /// The accounts, as `PrinterOperations` looks them up.
    public let accounts: UserAccounts

    private init() {
        accounts = UserAccounts(
            lookUp: .init(name: { TestAccounts.shared.name(of: $0) }, isMember: { _, _ in false }))
    }

    private func name(of uid: UInt32) -> String? {
        if uid == 0 { return "root" }
        return names.withLock { names in
            let index = Int(uid) - 100_000
            return names.indices.contains(index) ? names[index] : nil
        }
    }

    /// The other end of a connection over the loopback interface by a user.
    public func peer(_ name: String) -> Peer {
        let index = names.withLock { names in
            if let index = names.firstIndex(of: name) { return index }
            names.append(name)
            return names.count - 1
        }
        return .tcp(address: "127.0.0.1", port: 50_000, uid: UInt32(100_000 + index))
    }
}
