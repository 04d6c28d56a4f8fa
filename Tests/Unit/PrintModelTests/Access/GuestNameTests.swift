import PrintModel
import Testing

struct GuestNameTests {
    @Test(arguments: [
        (claimed: "anna" as String?, address: "192.0.2.7", text: "anna@192.0.2.7"),
        (nil, "2001:db8::1", "anonymous@2001:db8::1"),
        ("anna", "fe80::1%eth0", "anna@fe80::1"), ("anna", "::ffff:192.0.2.7", "anna@192.0.2.7"),
        ("root@192.0.2.8", "192.0.2.7", "root@192.0.2.8@192.0.2.7"),
    ])
    func `the name of a guest ends with the address`(claimed: String?, address: String, text: String) {
        #expect(GuestName(claimed: claimed, address: address).text == text)
    }

    @Test func `a long name is truncated, and the address is not`() {
        let name = GuestName(claimed: String(repeating: "ü", count: 200), address: "192.0.2.7").text
        #expect(name.utf8.count <= 255 && name.hasSuffix("ü@192.0.2.7"))
    }

    @Test(arguments: [
        (owner: "anna@192.0.2.7", limited: "@192.0.2.7"), ("ben@192.0.2.7", "@192.0.2.7"),
        ("x@192.0.2.8@192.0.2.7", "@192.0.2.7"), ("anna", "anna"), ("anna@EXAMPLE.COM", "anna@EXAMPLE.COM"),
        ("CORP\\anna", "CORP\\anna"), ("anna@", "anna@"),
    ])
    func `the limits of a guest apply to the address, and the limits of a user to the name`(
        owner: String, limited: String
    ) { #expect(GuestName.limited(owner) == limited) }
}
