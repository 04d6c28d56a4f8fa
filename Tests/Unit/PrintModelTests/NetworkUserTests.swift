import PrintModel
import Testing

struct NetworkUserTests {
    @Test(arguments: ["anna", "Anna", "anna.b-c_d@example.com", "0", "uid-x", "anonymous2"])
    func `letters, digits and a few characters can be a name`(name: String) { #expect(NetworkUser.isValidName(name)) }

    @Test(arguments: [
        "", "an na", "anna:", "än", "anna\n", "a/b", "anonymous", "uid-1000", "uid-", "@", "anna@192.0.2.7",
        String(repeating: "a", count: 101),
    ])
    func `reserved names and other characters cannot be a name`(name: String) {
        #expect(!NetworkUser.isValidName(name))
    }

    @Test(arguments: ["12345678", "pässwörter", String(repeating: "x", count: 511)])
    func `a password has at least eight characters and at most 511 bytes`(text: String) {
        #expect(UserPassword(text)?.text == text)
    }

    @Test(arguments: [
        "", "1234567", "12345678\0", "1234\n5678", String(repeating: "x", count: 512),
        "printq_" + String(repeating: "x", count: 43),
    ])
    func `other texts, and the secret of a token, cannot be a password`(text: String) {
        #expect(UserPassword(text) == nil)
    }

    @Test func `no description of a password or a change contains the password`() throws {
        let password = try #require(UserPassword("s3cret word"))
        let change = UserChange.setPassword(name: "anna", password)
        var dumped = ""
        dump(change, to: &dumped)
        for text in ["\(password)", "\(change)", String(reflecting: change), dumped] {
            #expect(!text.contains("s3cret"))
        }
    }
}
