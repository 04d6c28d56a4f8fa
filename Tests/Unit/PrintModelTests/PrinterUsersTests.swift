import Foundation
import PrintModel
import Testing

struct PrinterUsersTests {
    private func admitted(_ users: PrinterUsers) -> [String] {
        ["anna", "ben", "root"].filter { user in users.admit(user) { user == "ben" && $0 == "staff" } }
    }

    @Test func `names, groups and the words for everybody and nobody`() {
        #expect(admitted(.everybody) == ["anna", "ben", "root"])
        #expect(admitted(.allowed(["Anna"])) == ["anna"], "case does not count, as in CUPS")
        #expect(admitted(.allowed(["anna", "@staff"])) == ["anna", "ben"])
        #expect(admitted(.denied(["@staff"])) == ["anna", "root"])
        #expect(admitted(.denied(["anna", "root"])) == ["ben"])
        #expect(admitted(.allowed([])) == [])
        #expect(admitted(.allowed(["all"])) == ["anna", "ben", "root"])
        #expect(admitted(.denied(["none"])) == ["anna", "ben", "root"])
    }

    @Test func `the words all and none stand for everybody and nobody, when they stand alone`() {
        #expect(PrinterUsers(allowing: ["all"]) == .everybody)
        #expect(PrinterUsers(allowing: ["none"]) == .allowed([]))
        #expect(PrinterUsers(allowing: ["anna", "@staff"]) == .allowed(["anna", "@staff"]))
        #expect(PrinterUsers(denying: ["none"]) == .everybody)
        #expect(PrinterUsers(denying: ["all"]) == .allowed([]))
        #expect(PrinterUsers(denying: ["ben"]) == .denied(["ben"]))
    }

    @Test(arguments: [PrinterUsers.everybody, .allowed(["anna", "@staff"]), .denied(["ben"]), .allowed([])])
    func `what is stored is read again`(users: PrinterUsers) throws {
        #expect(try JSONDecoder().decode(PrinterUsers.self, from: JSONEncoder().encode(users)) == users)
    }
}
