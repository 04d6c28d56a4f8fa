// Who asks, on a Unix socket and over TCP.

import Glibc
import PrintIPP
import Testing

struct RequesterTests {
    @Test func `over TCP a name is only claimed, even root's`() {
        let root = Requester(peer: .tcp(address: "127.0.0.1", port: 1), claimedName: "root")
        #expect(root.name == "root")
        #expect(!root.isAuthenticated && !root.isAdministrator)
        #expect(root.mayChange(thingsOf: "root"))
        #expect(!root.mayChange(thingsOf: "alice"))
    }

    @Test(arguments: [nil, ""]) func `without a name one is anonymous`(name: String?) {
        #expect(Requester(peer: .tcp(address: "::1", port: 1), claimedName: name).name == "anonymous")
    }

    @Test(arguments: [nil, ""]) func `on the Unix socket root is an administrator of that name`(name: String?) {
        let root = Requester(peer: .unix(uid: 0, gid: 0, pid: 1), claimedName: name)
        #expect(root == Requester(name: "root", isAuthenticated: true, isAdministrator: true))
    }

    @Test func `an administrator may speak for somebody else`() {
        let root = Requester(peer: .unix(uid: 0, gid: 0, pid: 1), claimedName: "alice")
        #expect(root.name == "alice")
        #expect(root.mayChange(thingsOf: "bob"))
    }

    @Test func `anybody else on the Unix socket is who the kernel says`() {
        let nobody = Requester(peer: .unix(uid: 3_999_999_999, gid: 3_999_999_999, pid: 1), claimedName: "root")
        #expect(nobody == Requester(name: "uid-3999999999", isAuthenticated: true, isAdministrator: false))
        #expect(!nobody.mayChange(thingsOf: "root"))
    }
}
