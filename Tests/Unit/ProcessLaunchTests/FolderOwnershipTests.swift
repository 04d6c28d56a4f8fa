import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of the rule for the folder of a daemon.
struct FolderOwnershipTests {
    private let above: TemporaryFolder
    private let folder: String

    init() throws {
        above = try TemporaryFolder()
        folder = above.path("spool")
        mkdir(folder, 0o700)
        chmod(above.path, 0o755)
    }

    private func objection() throws -> String { try #require(FolderOwnership.objection(to: folder)) }

    @Test func `an own folder with own files can be used, and so can a folder that does not exist`() throws {
        try Data().write(to: URL(fileURLWithPath: "\(folder)/lock"))
        symlink("/var/log/other", "\(folder)/printd.log")
        #expect(FolderOwnership.objection(to: folder) == nil)
        #expect(FolderOwnership.objection(to: above.path("none")) == nil)
    }

    @Test(arguments: [0o720, 0o702, 0o777, 0o1777])
    func `a folder to which other users can write is refused`(mode: mode_t) throws {
        chmod(folder, mode)
        #expect(try objection() == "other users can change the folder '\(folder)'; run 'chmod go-w \(folder)'")
    }

    @Test func `a folder in a folder that other users can change is refused, unless that folder is sticky`() throws {
        chmod(above.path, 0o777)
        #expect(try objection().hasPrefix("other users can change the folder '\(above.path)', and could exchange"))
        chmod(above.path, 0o1777)
        #expect(FolderOwnership.objection(to: folder) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root changes owners"))
    func `a folder of another user is refused, also through a link`() throws {
        chown(folder, 12345, 12345)
        #expect(try objection().hasPrefix("the folder '\(folder)' belongs to the user with ID 12345, and its owner"))
        let link = above.path("link")
        symlink(folder, link)
        #expect(FolderOwnership.objection(to: link)?.contains("ID 12345") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root changes owners"))
    func `a folder in a folder of another user is refused`() throws {
        chown(above.path, 12345, 12345)
        #expect(try objection().hasPrefix("the folder '\(above.path)' belongs to the user with ID 12345, who could"))
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root changes owners"),
        arguments: ["lock", "printd.log", "spool.sqlite", "spool.sqlite-wal", "printd.json5", "jobs", "output"])
    func `an entry of another user is refused, also a link`(name: String) throws {
        symlink("/etc/hostname", "\(folder)/\(name)")
        lchown("\(folder)/\(name)", 12345, 12345)
        #expect(try objection().hasPrefix("'\(folder)/\(name)' belongs to the user with ID 12345, who could"))
        unlink("\(folder)/\(name)")
        try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        chown("\(folder)/\(name)", 12345, 12345)
        #expect(try objection().hasPrefix("'\(folder)/\(name)' belongs to"))
    }
}
