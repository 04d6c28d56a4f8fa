// Limits the guesses of passwords.

import Glibc

/// The rule that decides when a client may try a password: a record of wrong passwords.
///
/// The rule has no clock and no task.
///
/// - Each address has 10 wrong passwords per minute. Then all passwords from the address are refused without a check,
///   until the oldest of the 10 is a minute old.
/// - Each user name has 20 wrong passwords from all addresses. Then a pause follows each wrong password: a second, two,
///   four, up to a minute. An address from which the user logged in within a day has no pause, so that guesses of
///   others do not lock the user out. An hour without a wrong password ends the pauses.
///
/// The tables have an upper limit; the oldest entries are forgotten first.
package struct LoginBudget: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// The number of wrong passwords of an address within `window`.
    package static let mostFailures = 10
    package static let window = Duration.seconds(60)
    /// The number of wrong passwords of a user name without a pause.
    package static let freeFailures = 20
    package static let longestPause = Duration.seconds(60)
    /// The time after which the wrong passwords of a user name are forgotten.
    package static let failureMemory = Duration.seconds(3600)
    /// The time for which an address is known for a user.
    package static let loginMemory = Duration.seconds(86_400)
    /// The maximum number of entries of each table.
    package static let mostEntries = 10_000

    /// A client and the name that it claims.
    package struct Login: Hashable, Sendable {
        /// The client's address, or the network of an IPv6 client, who chooses the last 64 bits freely.
        package var network: String
        package var user: String

        package init(address: String, user: String) {
            (network, self.user) = (LoginBudget.network(of: address), user)
        }
    }

    private struct Failures {
        var count: Int
        var last: Instant
    }

    /// The times of the last wrong passwords of each address, oldest first.
    private var byNetwork: [String: [Instant]] = [:]
    private var byUser: [String: Failures] = [:]
    private var successes: [Login: Instant] = [:]

    package init() {}

    /// The number of entries of the largest table.
    package var entries: Int { max(byNetwork.count, byUser.count, successes.count) }

    /// Returns the time until a client may try a password; zero if the client may try now.
    package func delay(of login: Login, at now: Instant) -> Duration {
        max(networkDelay(of: login, at: now), userDelay(of: login, at: now), .zero)
    }

    private func networkDelay(of login: Login, at now: Instant) -> Duration {
        guard let failures = byNetwork[login.network], failures.count >= Self.mostFailures else { return .zero }
        return now.duration(to: failures[0] + Self.window)
    }

    private func userDelay(of login: Login, at now: Instant) -> Duration {
        guard let failures = byUser[login.user], failures.count > Self.freeFailures,
            now < failures.last + Self.failureMemory
        else { return .zero }
        if let success = successes[login], now < success + Self.loginMemory { return .zero }
        let doublings = min(failures.count - Self.freeFailures - 1, 6)
        return now.duration(to: failures.last + min(.seconds(1 << doublings), Self.longestPause))
    }

    /// Records a wrong password.
    package mutating func fail(_ login: Login, at now: Instant) {
        byNetwork[login.network] = (byNetwork[login.network] ?? []).suffix(Self.mostFailures - 1) + [now]
        let isRecent = byUser[login.user].map { now < $0.last + Self.failureMemory } ?? false
        byUser[login.user] = Failures(count: isRecent ? (byUser[login.user]?.count ?? 0) + 1 : 1, last: now)
        Self.shrink(&byNetwork) { $0.last ?? now }
        Self.shrink(&byUser) { $0.last }
    }

    /// Records a correct password.
    package mutating func succeed(_ login: Login, at now: Instant) {
        successes[login] = now
        Self.shrink(&successes) { $0 }
    }

    /// Removes the oldest tenth of a table that is full, so that the search for the oldest entries is rare.
    private static func shrink<Key: Hashable, Value>(_ table: inout [Key: Value], time: (Value) -> Instant) {
        guard table.count > mostEntries else { return }
        let newest = table.sorted { time($0.value) > time($1.value) }.prefix(mostEntries * 9 / 10)
        table = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }

    /// Returns an IPv4 address, or the first 64 bits of an IPv6 address.
    private static func network(of address: String) -> String {
        var six = in6_addr()
        guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &six) == 1 else { return address }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if isMapped { return bytes[12...].map { String($0) }.joined(separator: ".") }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}
