import PrintTestSupport
import Testing

struct TestRunTests {
    @Test(arguments: [(3, 7), (7, 3), (4, 4), (1, 5), (6, 2)], [0, 1, 5, 999_999])
    func `a usual run pairs each value at least once, and as few times as possible`(
        counts: (first: Int, second: Int), seed: Int
    ) {
        let pairs = TestRun.pairs(0..<counts.first, 0..<counts.second, isLong: false, seed: seed)
        #expect(pairs.count == max(counts.first, counts.second))
        #expect(Set(pairs.map(\.0)) == Set(0..<counts.first))
        #expect(Set(pairs.map(\.1)) == Set(0..<counts.second))
    }

    @Test func `other seeds pair other values, until all combinations were tested`() {
        let pairs = (0..<3).flatMap { TestRun.pairs(0..<8, 0..<3, isLong: false, seed: $0) }
        #expect(Set(pairs.map { [$0.0, $0.1] }).count == 24)
    }

    @Test func `a long run contains all combinations`() {
        let pairs = TestRun.pairs(0..<3, 0..<4, isLong: true, seed: 1)
        #expect(Set(pairs.map { [$0.0, $0.1] }).count == 12 && pairs.count == 12)
    }
}
