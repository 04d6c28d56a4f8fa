// Tests how the keys of a provider are read, fetched and replaced.

import Foundation
import OpenIDTestSupport
import PrintTestSupport
import Synchronization
import Testing

@testable import OpenIDConnect

struct KeyStoreTests {
    /// A provider whose keys are at an address, with a clock.
    private final class World: Sendable {
        struct State {
            var answer: Result<String, KeyProblem> = .failure(KeyProblem("the server is gone"))
            var fetches = 0
            var now = ContinuousClock.now
        }
        let state = Mutex(State())

        func publish(_ keys: TestKey...) { state.withLock { $0.answer = .success(TestKey.set(keys)) } }
        func advance(_ seconds: Int) { state.withLock { $0.now += .seconds(seconds) } }
        var fetches: Int { state.withLock(\.fetches) }

        var store: KeyStore {
            KeyStore(.web(host: "h", port: 443, path: "/keys")) {
                self.state.withLock(\.now)
            } fetch: { _, _, _ throws(KeyProblem) in
                let answer = self.state.withLock { state in
                    state.fetches += 1
                    return state.answer
                }
                return Array(try answer.get().utf8)
            }
        }
    }

    private func id(_ key: TestKey) throws -> KeySet.ID {
        KeySet.ID(name: key.name, algorithm: try #require(Provider.Algorithm(rawValue: key.algorithm)))
    }

    private func has(_ key: TestKey, _ store: KeyStore) async throws -> Bool {
        let id = try id(key)
        return (try? await store.key(id)) != nil
    }

    @Test func `keys are fetched once for many tokens, and again after ten minutes`() async throws {
        let (world, key) = (World(), try await TestKey.elliptic("1"))
        world.publish(key)
        let store = world.store
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { try await has(key, store) } }
            for try await isFound in group { #expect(isFound) }
        }
        #expect(world.fetches == 1)
        world.advance(599)
        #expect(try await has(key, store))
        #expect(world.fetches == 1)
        world.advance(1)
        #expect(try await has(key, store))
        #expect(world.fetches == 2)
    }

    @Test func `a new key is fetched when a token names it, and a withdrawn key is refused`() async throws {
        let (old, new) = (try await TestKey.elliptic("1"), try await TestKey.elliptic("2"))
        let world = World()
        world.publish(old)
        let store = world.store
        #expect(try await has(old, store))
        #expect(try await !has(new, store))
        world.publish(new)
        #expect(try await has(new, store))
        #expect(try await !has(old, store))
    }

    @Test func `tokens with unknown keys cause at most five fetches within five minutes`() async throws {
        let (world, key) = (World(), try await TestKey.elliptic("1"))
        world.publish(key)
        let store = world.store
        for name in 0..<50 { #expect(try await !has(try await TestKey.elliptic("unknown \(name)"), store)) }
        #expect(world.fetches == 5)
        #expect(try await has(key, store))
        world.advance(300)
        #expect(try await !has(try await TestKey.elliptic("unknown"), store))
        #expect(world.fetches == 6)
    }

    @Test func `while the server is gone, known keys are used for a day, and the problem is reported`() async throws {
        let (world, key) = (World(), try await TestKey.elliptic("1"))
        let store = world.store
        #expect(try await !has(key, store))
        #expect(await store.problem()?.description == "the server is gone")
        world.publish(key)
        world.advance(300)
        #expect(try await has(key, store))
        #expect(await store.problem() == nil)
        let fetches = world.fetches
        world.state.withLock { $0.answer = .failure(KeyProblem("the server is gone")) }
        world.advance(600)
        for _ in 0..<5 { #expect(try await has(key, store)) }
        #expect(world.fetches == fetches + 1)
        #expect(await store.problem()?.description == "the server is gone")
        world.advance(60)
        #expect(try await has(key, store))
        #expect(world.fetches == fetches + 2)
        world.advance(86_400)
        #expect(try await !has(key, store))
    }

    @Test func `a file is read again after a change, and a file that is missing has no keys`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("keys.json")
        let store = KeyStore(.file(path))
        let (old, new) = (try await TestKey.elliptic("1"), try await TestKey.rsa("2"))
        #expect(try await !has(old, store))
        #expect(await store.problem()?.description == "cannot read '\(path)': No such file or directory")
        func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        try write(TestKey.set([old]))
        #expect(try await has(old, store))
        try write(TestKey.set([new]))
        #expect(try await has(new, store))
        #expect(try await !has(old, store))
        #expect(await store.problem() == nil)
        // A file that another program is writing.
        try write("{\"keys\": [")
        #expect(try await has(new, store))
        #expect(await store.problem() != nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await !has(new, store))
    }

    @Test func `keys for other purposes and symmetric keys are skipped`() async throws {
        let key = try await TestKey.rsa("1")
        let unusable = [
            "{\"kty\": \"oct\", \"kid\": \"2\", \"k\": \"c2VjcmV0\", \"alg\": \"HS256\"}", "7",
            key.jwk.replacing("\"use\":\"sig\"", with: "\"use\":\"enc\""),
            key.jwk.replacing("RS256", with: "PS256"), key.jwk.replacing("\"kid\":\"1\",", with: ""),
            "{\"kty\": \"EC\", \"kid\": \"3\", \"crv\": \"P-256\", \"x\": \"AQ\", \"y\": \"AQ\"}",
            "{\"kty\": \"RSA\", \"kid\": \"4\", \"e\": \"AQAB\", \"n\": \"\(String(repeating: "x", count: 171))\"}",
        ]
        let all = "{\"keys\": [\(unusable.joined(separator: ", ")), \(key.jwk)]}"
        let set = try await KeySet(json: Array(all.utf8))
        #expect(set[try id(key)] != nil)
        for text in ["{\"keys\": [\(unusable.joined(separator: ", "))]}", "[]", "", "{\"keys\": {}}"] {
            await #expect(throws: KeyProblem.self) { try await KeySet(json: Array(text.utf8)) }
        }
    }

    @Test func `a server without an encrypted connection is reported`() async throws {
        let problem = await #expect(throws: KeyProblem.self) {
            try await KeyDownload.fetch("127.0.0.1", 1, "/keys")
        }
        #expect(problem?.description.hasPrefix("cannot fetch 'https://127.0.0.1:1/keys': ") == true)
    }
}
