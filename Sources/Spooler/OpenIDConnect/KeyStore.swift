// Keeps the keys of a provider, which change.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import JWTKit
import Logging
import SafeFiles
import Synchronization

/// The keys of a provider.
///
/// A file is read again after a change. Keys at an address are fetched again as `KeyRefresh` decides. Files and servers
/// are read on one separate thread, so that they delay only clients with tokens.
final class KeyStore: Sendable {
    /// A function that fetches the keys from an address.
    typealias Fetch = @Sendable (_ host: String, _ port: Int, _ path: String) async throws(KeyProblem) -> [UInt8]

    private struct State {
        var keys: KeySet?
        var version: FileVersion?
        var refresh = KeyRefresh()
        /// The number of attempts to read the keys.
        var attempts = 0
        var problem: KeyProblem?
    }

    private let place: Provider.KeyPlace
    private let fetch: Fetch
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    private let state = Mutex(State())
    /// Admits one reader at a time; the others use its result.
    private let gate = AsyncSemaphore(places: 1, waiting: 1000)
    private let thread = BlockingThreads(most: 1)

    init(
        _ place: Provider.KeyPlace, logger: Logger = Logger(label: "printd"),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, fetch: @escaping Fetch = KeyDownload.fetch
    ) {
        (self.place, self.logger, self.now, self.fetch) = (place, logger, now, fetch)
    }

    /// Returns a key, after a change of the keys if this is necessary.
    ///
    /// - Throws: `TokenRefusal` if there is no such key.
    func key(_ id: KeySet.ID) async throws(TokenRefusal) -> JWTKeyCollection {
        await update(isKnown: state.withLock { $0.keys?[id] != nil })
        let (found, problem) = state.withLock { ($0.keys?[id], $0.problem) }
        if let found { return found }
        if let problem { throw .noKeys(problem.description) }
        throw .unknownKey
    }

    /// Returns the reason why the keys cannot be read; nil if they can.
    func problem() async -> KeyProblem? {
        await update(isKnown: true)
        return state.withLock(\.problem)
    }

    private func update(isKnown: Bool) async {
        switch place {
        case .file(let path): await readAfterChange(path)
        case .web(let host, let port, let path):
            let attempts = state.withLock { state -> Int? in
                if !state.refresh.isUsable(at: now()) { state.keys = nil }
                return state.refresh.isDue(isKnown: isKnown, at: now()) ? state.attempts : nil
            }
            guard let attempts, (try? await gate.enter()) != nil else { return }
            defer { gate.leave() }
            // Another token can have caused a fetch in the meantime.
            guard state.withLock({ $0.attempts == attempts && $0.refresh.begin(at: now()) }) else { return }
            await accept {
                try await withTaskExecutorPreference(self.thread) { try await self.fetch(host, port, path) }
            }
        }
    }

    private func readAfterChange(_ path: String) async {
        guard (try? await gate.enter()) != nil else { return }
        defer { gate.leave() }
        // The version is read first, so that a change during the reading is noticed.
        let version = await thread.run { FileVersion(path) }
        guard state.withLock({ $0.attempts == 0 || $0.version != version }) else { return }
        state.withLock { state in
            state.version = version
            // An administrator who removes the file ends the trust in its keys.
            if version == nil { state.keys = nil }
        }
        await accept { try await self.thread.run { try Self.content(of: path) } }
    }

    private static func content(of path: String) throws -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw KeyProblem("cannot read '\(path)': \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= KeySet.mostBytes,
            let data = FileManager.default.contents(atPath: path)
        else { throw KeyProblem("cannot read '\(path)': not a regular file of at most 1 MiB") }
        return Array(data)
    }

    /// Uses keys that were read; after a failure, the earlier keys stay in use.
    private func accept(_ read: @Sendable () async throws -> [UInt8]) async {
        var problem: KeyProblem?
        var keys: KeySet?
        do {
            keys = try await KeySet(json: read())
        } catch {
            problem = error as? KeyProblem ?? KeyProblem("\(error)")
        }
        let (new, failure) = (keys, problem)
        let isNews = state.withLock { state in
            state.attempts += 1
            if let new {
                state.keys = new
                state.refresh.succeed(at: now())
            }
            defer { state.problem = failure }
            return state.problem != failure
        }
        guard isNews else { return }
        if let failure {
            logger.error("cannot get the keys of OpenID Connect", metadata: ["reason": "\(failure)"])
        } else {
            logger.notice("the keys of OpenID Connect are available again")
        }
    }
}
