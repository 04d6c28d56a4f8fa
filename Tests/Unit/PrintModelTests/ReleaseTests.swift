import Testing

@testable import PrintModel

struct ReleaseTests {
    @Test func `the version of a program contains the commit`() {
        #expect(Release.text(of: "printq", commit: "1a2b3c4d") == "printq \(Release.version) (1a2b3c4d)")
    }

    @Test func `the version of a build indicates uncommitted changes`() {
        let text = Release.text(of: "printd", commit: "1a2b3c4d-dirty")
        #expect(text == "printd \(Release.version) (1a2b3c4d, with uncommitted changes)")
    }

    @Test func `the version of a build without a commit reports that the commit is unknown`() {
        #expect(Release.text(of: "printsim", commit: nil) == "printsim \(Release.version) (unknown commit)")
    }
}
