// Provides user accounts for tests of IPP services.

public import PrintIPP
import Synchronization

/// Test accounts: every requested name has an account.
public final class TestAccounts: Sendable {
    /// The accounts that all tests share.
    public static let shared = TestAccounts()

    private let names = Mutex<[String]>([])

    /// The accounts, in the form for `PrinterOperations`.
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

    /// Returns the peer of a loopback connection by a user.
    public func peer(_ name: String) -> Peer {
        let index = names.withLock { names in
            if let index = names.firstIndex(of: name) { return index }
            names.append(name)
            return names.count - 1
        }
        return .tcp(address: "127.0.0.1", port: 50_000, uid: UInt32(100_000 + index))
    }
}
