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
    func `a folder is refused if a link of another user leads to it`() throws {
        let link = above.path("link")
        symlink(above.path, link)
        let path = "\(link)/spool"
        #expect(FolderOwnership.objection(to: path) == nil)
        lchown(link, 12345, 12345)
        #expect(FolderOwnership.objection(to: path)?.hasPrefix("'\(link)' belongs to the user with ID 12345") == true)
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

    @Test(.enabled(if: geteuid() == 0, "only root changes owners"), arguments: ["access", "tls", "jobs", "incoming"])
    func `a link or a folder of another user in a folder of the spool is refused, and a file of a worker is not`(
        name: String
    ) throws {
        mkdir("\(folder)/\(name)", 0o700)
        let entry = "\(folder)/\(name)/entry"
        try Data().write(to: URL(fileURLWithPath: entry))
        chown(entry, 12345, 12345)
        #expect(FolderOwnership.objection(to: folder) == nil)
        unlink(entry)
        mkdir(entry, 0o770)
        #expect(FolderOwnership.objection(to: folder) == nil, "a folder in which a worker's group can write")
        chown(entry, 12345, 12345)
        #expect(try objection().hasPrefix("'\(entry)' belongs to the user with ID 12345, who could"))
        rmdir(entry)
        symlink("/etc/hostname", entry)
        #expect(FolderOwnership.objection(to: folder) == nil, "a link of root")
        lchown(entry, 12345, 12345)
        #expect(try objection().hasPrefix("'\(entry)' belongs to the user with ID 12345, who could"))
    }

    @Test(arguments: ["jobs", "incoming", "access", "tls", "types"])
    func `a folder of the spool to which other users can write is refused`(name: String) throws {
        let inner = "\(folder)/\(name)"
        mkdir(inner, 0o700)
        for mode in [0o702, 0o707, 0o1777] as [mode_t] {
            chmod(inner, mode)
            #expect(try objection() == "other users can change '\(inner)'; run 'chmod go-w \(inner)'")
        }
    }

    @Test(arguments: ["printd.json5", "spool.sqlite", "lock", "printd.log"])
    func `a file of the spool to which other users can write is refused, also through a link`(name: String) throws {
        let file = "\(folder)/\(name)"
        try Data().write(to: URL(fileURLWithPath: file))
        chmod(file, 0o666)
        #expect(try objection() == "other users can change '\(file)'; run 'chmod go-w \(file)'")
        rename(file, above.path("target"))
        symlink(above.path("target"), file)
        #expect(try objection().hasPrefix("other users can change '\(file)'"))
        unlink(file)
        symlink("/dev/null", file)
        #expect(FolderOwnership.objection(to: folder) == nil)
    }
}
