import IPP
import Testing

struct VersionTests {
    @Test func `IPP versions are ordered by major number, then by minor number`() {
        #expect(Version.v1_1 < .v2_0)
        #expect(Version(major: 2, minor: 1) > .v2_0)
    }
}
