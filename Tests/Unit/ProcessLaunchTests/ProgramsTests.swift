import Testing

@testable import ProcessLaunch

struct ProgramsTests {
    @Test func `an installed program searches libexec for internal programs and sbin for daemons`() {
        let paths = Programs.candidates("printd", beside: "/usr/bin/printd", path: "/usr/local/bin:/bin")
        #expect(
            paths == [
                "/usr/bin/printd", "/usr/libexec/printq/printd", "/usr/sbin/printd", "/usr/bin/printd",
                "/usr/local/bin/printd", "/bin/printd",
            ])
    }

    @Test func `an internal program finds the programs in the same installation prefix`() {
        let paths = Programs.candidates("printq", beside: "/opt/printq/libexec/printq/printq", path: "")
        #expect(
            paths == [
                "/opt/printq/libexec/printq/printq", "/opt/printq/libexec/printq/printq", "/opt/printq/sbin/printq",
                "/opt/printq/bin/printq",
            ])
    }

    @Test func `relative paths in PATH are ignored`() {
        let paths = Programs.candidates("printd", beside: "/usr/bin/printd", path: ".:bin:/opt/bin")
        #expect(paths.last == "/opt/bin/printd")
        #expect(paths.allSatisfy { $0.hasPrefix("/") })
    }

    @Test func `if a program is not found, the returned path is in the folder of the running program`() {
        #expect(Programs.path(of: "no-such-program") == Programs.beside("no-such-program"))
    }
}
