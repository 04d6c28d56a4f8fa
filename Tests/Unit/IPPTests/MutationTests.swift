import IPP
import PrintTestSupport
import Testing

struct MutationTests {
    @Test func `if a damaged message can be decoded, the decoded message is encoded to the same bytes`() throws {
        let originals = [try Samples.everyType.encoded(), try Samples.oddities.encoded()]
        var random = SplitMix64(state: 2025)
        var decoded = 0
        for round in 0..<(TestRun.isLong ? 2_000_000 : 20_000) {
            var bytes = originals[round % originals.count]
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, with: &random) }
            guard let (message, length) = try? Message.decode(bytes) else { continue }
            decoded += 1
            // This is a plain comparison, because 20,000 expectations would take longer than the rest of the test.
            if try message.encoded()[...] != bytes[..<length] {
                Issue.record("the message of round \(round) encodes to different bytes")
            }
        }
        #expect(decoded > 1_000)
    }

    @Test func `if random bytes can be decoded to a message, the message is encoded to the same bytes`() throws {
        var random = SplitMix64(state: 8010)
        let alphabet: [UInt8] = [0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x21, 0x22, 0x34, 0x37, 0x41, 0x4A, 0x61, 0xFF]
        var decoded = 0
        for round in 0..<(TestRun.isLong ? 2_000_000 : 20_000) {
            let tail = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
            let bytes = octets(.header) + tail
            guard let (message, length) = try? Message.decode(bytes) else { continue }
            decoded += 1
            if try message.encoded()[...] != bytes[..<length] {
                Issue.record("the message of round \(round) encodes to different bytes")
            }
        }
        #expect(decoded > 100)
    }

    private func mutate(_ bytes: inout [UInt8], with random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, index + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 4: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &random))
        default: bytes.removeSubrange(index..<end)
        }
    }
}

/// A pseudorandom number generator that returns a fixed sequence for each seed.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
