import Testing

@testable import SpoolerClient

struct WebDocumentFileTests {
    @Test(arguments: [
        ("https://example.com/", true), ("HTTP://example.com", true), ("data:text/html,x", true),
        ("file:///etc/hosts", true), ("letter.pdf", false), ("./https:", false), ("http", false), ("-", false),
        ("file.txt", false), ("database.html", false),
    ])
    func `only an argument with a URI scheme is a web address`(argument: String, isAddress: Bool) {
        #expect(WebDocumentFile.isAddress(argument) == isAddress)
    }
}
