import PrintModel
import Testing

struct LengthTests {
    @Test func `A4 stays exact in hundredths of a millimetre and becomes points only when asked`() {
        #expect(Length.millimeters(210).hundredths == 21000)
        #expect(abs(Length.millimeters(297).points - 841.8898) < 0.0001)
        #expect(Length.inches(8.5).hundredths == 21590)
        #expect(Length.points(612) == .inches(8.5))
    }
}
