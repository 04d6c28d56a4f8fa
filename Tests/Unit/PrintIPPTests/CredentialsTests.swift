import Foundation
import PrintIPP
import Testing

struct CredentialsTests {
    @Test(
        arguments: [
            ("Bearer printq_abc", nil, "printq_abc"), ("bearer  x", nil, "x"),
            ("Basic YW5uOnNlY3JldA==", "ann", "secret"),
            ("BASIC YW5uOmE6Yg==", "ann", "a:b"), ("Basic OnNlY3JldA==", "", "secret"),
        ] as [(String, String?, String)])
    func `the credentials of the Basic and the Bearer scheme are read`(header: String, user: String?, secret: String)
        throws
    {
        #expect(try #require(Credentials(authorization: header)) == Credentials(user: user, secret: secret))
    }

    @Test(arguments: ["", "Bearer", "Basic ***", "Basic YW5u", "Digest username=\"ann\"", "Basic /w=="])
    func `other schemes and malformed values are no credentials`(header: String) {
        #expect(Credentials(authorization: header) == nil)
    }

    @Test func `no description of credentials contains the secret`() {
        let credentials = Credentials(user: "ann", secret: "s3cret")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] { #expect(!text.contains("s3cret")) }
    }
}
