import Foundation
import PrintModel
import Testing

struct PrinterUsersTests {
    private func admitted(_ users: PrinterUsers) -> [String] {
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
        #expect(PrinterUsers(allowing: ["all"]) == .everybody)
        #expect(PrinterUsers(allowing: ["none"]) == .allowed([]))
        #expect(PrinterUsers(allowing: ["anna", "@staff"]) == .allowed(["anna", "@staff"]))
        #expect(PrinterUsers(denying: ["none"]) == .everybody)
        #expect(PrinterUsers(denying: ["all"]) == .allowed([]))
        #expect(PrinterUsers(denying: ["ben"]) == .denied(["ben"]))
    }

    @Test(arguments: [PrinterUsers.everybody, .allowed(["anna", "@staff"]), .denied(["ben"]), .allowed([])])
    func `printer users round-trip through JSON`(users: PrinterUsers) throws {
        #expect(try JSONDecoder().decode(PrinterUsers.self, from: JSONEncoder().encode(users)) == users)
    }
}
