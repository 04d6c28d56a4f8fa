import FoundationEssentials
import PrintModel
import Testing

struct LengthTests {
    @Test func `lengths are stored in hundredths of a millimeter and are converted to points`() {
        #expect(Length.millimeters(210).hundredths == 21000)
        #expect(abs(Length.millimeters(297).points - 841.8898) < 0.0001)
        #expect(Length.inches(8.5).hundredths == 21590)
        #expect(Length.points(612) == .inches(8.5))
    }

    @Test(arguments: [-1, -0.004, 0, -.infinity, .nan, -.greatestFiniteMagnitude])
    func `if a length is created from a negative number or NaN, the length is zero in every unit`(_ number: Double) {
        #expect(Length.millimeters(number) == .zero)
        #expect(Length.inches(number) == .zero)
        #expect(Length.points(number) == .zero)
    }

    @Test(arguments: [1e12, .infinity, .greatestFiniteMagnitude])
    func `a number above the maximum becomes the maximum length`(_ number: Double) {
        #expect(Length.millimeters(number) == .longest)
        #expect(Length.inches(number) == .longest)
        #expect(Length.points(number) == .longest)
    }

    @Test func `a sum above the maximum becomes the maximum length`() {
        #expect(Length(hundredths: .max) == .longest)
        #expect(Length.longest + Length(hundredths: .max) == .longest)
        #expect(Length.millimeters(1) + .millimeters(2.5) == .millimeters(3.5))
    }

    @Test func `a length converts between millimeters, inches and points, and lengths are ordered`() {
        #expect(Length.inches(1).millimeters == 25.4)
        #expect(Length.inches(2).inches == 2)
        #expect(Length.inches(1).points == 72)
        #expect(Length.millimeters(9.99) < .millimeters(10))
    }

    @Test func `a length is encoded in JSON as an integer, and a number out of range is a decoding error`() throws {
        #expect(try JSON.write([Length.millimeters(4.23)]) == "[423]")
        #expect(try JSON.read([Length].self, "[423]") == [.millimeters(4.23)])
        for bad in ["[-1]", "[2147483648]", "[9223372036854775807]", "[\"4\"]", "[1.5]"] {
            #expect(throws: DecodingError.self) { try JSON.read([Length].self, bad) }
        }
    }
}
