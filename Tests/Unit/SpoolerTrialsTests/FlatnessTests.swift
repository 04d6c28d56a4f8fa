import SpoolerTrials
import Testing

struct FlatnessTests {
    @Test func `the leak check accepts fluctuating values and rejects growing values`() {
        let jumpy = (0..<40).map { $0 < 10 ? 0.0 : 100 + Double($0 % 3) }
        #expect(abs(Flatness(jumpy).growth) <= 1)
        #expect(Flatness((0..<40).map { Double($0) * 2 }).growth == 40)
        #expect(Flatness([5, 5, 5, 5, 5, 5, 3, 3]).growth == -2)
    }
}
