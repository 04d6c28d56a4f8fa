import Foundation
import PrintModel
import Testing

struct AccessListTests {
    private func admitted(_ users: AccessList) -> [String] {
        ["anna", "ben", "root"].filter { user in users.admit(user) { user == "ben" && $0 == "staff" } }
    }

    @Test func `the allowed users of a printer are selected by name, by group, or by the words 'all' and 'none'`() {
        #expect(admitted(.everybody) == ["anna", "ben", "root"])
        #expect(admitted(.allowed(["Anna", "ben"])) == ["ben"], "Anna and anna are two users")
        #expect(admitted(.denied(["Anna", "BEN"])) == ["anna", "ben", "root"])
        #expect(admitted(.allowed(["anna", "@staff"])) == ["anna", "ben"])
        #expect(admitted(.denied(["@staff"])) == ["anna", "root"])
        #expect(admitted(.denied(["anna", "root"])) == ["ben"])
        #expect(admitted(.allowed([])) == [])
        #expect(admitted(.allowed(["all"])) == ["anna", "ben", "root"])
        #expect(admitted(.denied(["none"])) == ["anna", "ben", "root"])
    }

    @Test func `a user list with only 'all' applies to all users, and a user list with only 'none' applies to no user`()
    {
        #expect(AccessList(allowing: ["all"]) == .everybody)
        #expect(AccessList(allowing: ["none"]) == .allowed([]))
        #expect(AccessList(allowing: ["anna", "@staff"]) == .allowed(["anna", "@staff"]))
        #expect(AccessList(denying: ["none"]) == .everybody)
        #expect(AccessList(denying: ["all"]) == .allowed([]))
        #expect(AccessList(denying: ["ben"]) == .denied(["ben"]))
    }

    @Test(arguments: [AccessList.everybody, .allowed(["anna", "@staff"]), .denied(["ben"]), .allowed([])])
    func `printer users round-trip through JSON`(users: AccessList) throws {
        #expect(try JSONDecoder().decode(AccessList.self, from: JSONEncoder().encode(users)) == users)
    }
}

struct PrinterPolicyTests {
    private func policy(_ lists: [PolicyList: AccessList]) -> PrinterPolicy {
        var policy = PrinterPolicy()
        for (list, names) in lists { policy[list] = names }
        return policy
    }

    private func rights(_ policy: PrinterPolicy, of user: String, at address: String? = nil) -> [PrinterRight] {
        PrinterRight.allCases.filter { policy.grants($0, to: user, at: address) { $0 == "staff" && user == "ben" } }
    }

    @Test func `without a policy, all users may submit and look, and only administrators manage`() {
        #expect(rights(PrinterPolicy(), of: "anna", at: "192.0.2.7") == [.submit, .look])
        #expect(rights(.nobody, of: "anna") == [])
        #expect(PrinterPolicy().isStandard && !PrinterPolicy.nobody.isStandard)
    }

    @Test func `a client needs both an allowed user and an allowed network, and this machine is in all networks`() {
        let policy = policy([
            .submitters: .allowed(["anna"]), PolicyList(.submit, .networks): .allowed(["192.0.2.0/24"]),
            PolicyList(.look, .networks): .denied(["192.0.2.0/28", "2001:db8::/32"]),
            PolicyList(.manage, .users): .allowed(["@staff"]),
        ])
        #expect(rights(policy, of: "anna") == [.submit, .look])
        #expect(rights(policy, of: "anna", at: "192.0.2.99") == [.submit, .look])
        #expect(rights(policy, of: "anna", at: "::ffff:192.0.2.3") == [.submit])
        #expect(rights(policy, of: "anna", at: "198.51.100.1") == [.look])
        #expect(rights(policy, of: "ben", at: "2001:db8::7") == [.manage])
        #expect(policy.groups == ["staff"])
    }

    @Test func `a denied text that is no network denies all addresses`() {
        #expect(!AccessList.denied(["anywhere"]).admits(address: "192.0.2.7"))
        #expect(!AccessList.allowed(["anywhere"]).admits(address: "192.0.2.7"))
    }

    @Test func `a policy round-trips through JSON, and the JSON of printq 1 0 is the list of users who may print`()
        throws
    {
        let lists = [
            .submitters: AccessList.denied(["ben"]), PolicyList(.look, .users): .allowed([]),
            PolicyList(.manage, .users): .denied([]), PolicyList(.manage, .networks): .allowed(["192.0.2.7"]),
        ]
        let stored = try JSONEncoder().encode(policy(lists))
        #expect(try JSONDecoder().decode(PrinterPolicy.self, from: stored) == policy(lists))
        #expect(String(decoding: try JSONEncoder().encode(PrinterPolicy()), as: UTF8.self) == #"{"denied":[]}"#)
        let old = try JSONDecoder().decode(PrinterPolicy.self, from: Data(#"{"allowed":["anna"]}"#.utf8))
        #expect(old == policy([.submitters: .allowed(["anna"])]))
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(PrinterPolicy.self, from: Data(#"{"denied":[],"look-users":7}"#.utf8))
        }
    }
}
