import IPP
import Testing

struct VersionTests {
    @Test func `versions order by major, then minor number`() {
        #expect(Version.v1_1 < .v2_0)
        #expect(Version(major: 2, minor: 1) > .v2_0)
    }
}
