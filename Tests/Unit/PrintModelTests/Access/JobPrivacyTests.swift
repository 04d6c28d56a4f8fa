import Testing

@testable import PrintModel

struct JobPrivacyTests {
    private static let attributes = ["job-id", "job-state", "job-name", "sides", "job-impressions"]

    @Test(
        arguments: [
            (["default"], ["job-name", "sides"]), (["all"], ["job-name", "sides", "job-impressions"]), (["none"], []),
            ([], []), (["job-name"], ["job-name"]), (["none", "job-name"], ["job-name"]),
        ] as [(Set<String>, [String])])
    func `the private attributes are those of the setting`(names: Set<String>, hidden: [String]) {
        #expect(Self.attributes.filter(JobPrivacy(names: names).hides) == hidden)
        #expect(JobPrivacy(names: names).hidesNothing == hidden.isEmpty)
        #expect(JobPrivacy(scope: .all, names: names).hidesNothing)
        #expect(!Self.attributes.contains(where: JobPrivacy(scope: .all, names: names).hides))
    }
}
