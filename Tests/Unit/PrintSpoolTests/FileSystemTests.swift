import Glibc
import PrintSpool
import PrintTestSupport
import SimulatedDisk
import Testing

/// Tests of the operations of both file systems: the POSIX file system and the simulated disk.
struct FileSystemTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    enum Kind: CaseIterable { case machine, simulated }

    /// Returns a file system that contains an empty folder, and the folder's path.
    private func place(_ kind: Kind) throws -> (system: any FileSystem, root: String) {
        switch kind {
        case .machine: return (POSIXFileSystem(), folder.path)
        case .simulated:
            let system = SimulatedDisk.Handle(SimulatedDisk())
            try system.makeFolders("/root")
            return (system, "/root")
        }
    }

    private func write(_ text: String, to path: String, _ system: any FileSystem) throws {
        let descriptor = try system.create(path)
        try system.write(Array(text.utf8), to: descriptor)
        try system.sync(descriptor)
        system.close(descriptor)
    }

    private func number(of body: () throws -> Void) -> Int32? {
        do {
            try body()
            return nil
        } catch { return (error as? SystemCallError)?.number }
    }

    @Test(arguments: Kind.allCases)
    func `files can be created, renamed, linked and removed in the real and in the simulated file system`(kind: Kind)
        throws
    {
        let (system, root) = try place(kind)
        try write("one", to: root + "/a", system)
        try write("two", to: root + "/b", system)
        try system.rename(root + "/a", to: root + "/b")
        try system.link(root + "/b", to: root + "/c")
        try system.syncFolder(root)
        #expect(system.names(in: root).sorted() == ["b", "c"])
        #expect(!system.isReadable(root + "/a"))
        system.remove(root + "/b")
        system.remove(root + "/b")
        #expect(system.isReadable(root + "/c"))
        #expect(system.names(in: root) == ["c"])
    }

    @Test(arguments: Kind.allCases)
    func `the real and the simulated file system create missing parent folders, and remove folders with their contents`(
        kind: Kind
    ) throws {
        let (system, root) = try place(kind)
        try system.makeFolders(root + "/x/y/z")
        try system.makeFolders(root + "/x/y/z")
        try system.makeFolder(root + "/x")
        try write("deep", to: root + "/x/y/z/file", system)
        #expect(system.names(in: root + "/x/y") == ["z"])
        system.remove(root + "/x")
        #expect(system.names(in: root).isEmpty)
        #expect(system.names(in: root + "/x/y").isEmpty)
    }

    @Test(arguments: Kind.allCases)
    func `impossible operations fail with the same errno in the real and the simulated file system`(kind: Kind) throws {
        let (system, root) = try place(kind)
        try write("one", to: root + "/a", system)
        #expect(number { _ = try system.create(root + "/a") } == EEXIST)
        #expect(number { _ = try system.create(root + "/none/a") } == ENOENT)
        #expect(number { try system.rename(root + "/none", to: root + "/b") } == ENOENT)
        #expect(number { try system.rename(root + "/a", to: root + "/none/b") } == ENOENT)
        #expect(number { try system.link(root + "/none", to: root + "/b") } == ENOENT)
        try write("two", to: root + "/b", system)
        #expect(number { try system.link(root + "/a", to: root + "/b") } == EEXIST)
        #expect(number { try system.makeFolder(root + "/none/x") } == ENOENT)
        #expect(number { try system.syncFolder(root + "/none") } == ENOENT)
    }

    @Test(arguments: Kind.allCases)
    func `a locked file must be unlocked before it can be locked a second time`(kind: Kind) throws {
        let (system, root) = try place(kind)
        let lock = try #require(try system.lock(root + "/lock"))
        #expect(try system.lock(root + "/lock") == nil)
        system.unlock(lock)
        let next = try #require(try system.lock(root + "/lock"))
        system.unlock(next)
    }
}

/// Tests of the effects of a power cut on a simulated disk.
struct SimulatedDiskTests {
    let disk = SimulatedDisk()

    private func write(_ text: String, to path: String, isSynced: Bool) throws {
        let system = SimulatedDisk.Handle(disk)
        let descriptor = try system.create(path)
        try system.write(Array(text.utf8), to: descriptor)
        if isSynced { try system.sync(descriptor) }
        system.close(descriptor)
    }

    @Test func `a power failure can remove a synced file if its folder was not synced`() throws {
        try write("text", to: "/a", isSynced: true)
        disk.cutPower { false }
        #expect(disk.files.isEmpty)
    }

    @Test func `a power failure can truncate a file in a synced folder if the file was not synced`() throws {
        try write("text", to: "/a", isSynced: false)
        try SimulatedDisk.Handle(disk).syncFolder("/")
        disk.cutPower { true }
        #expect(disk.read("/a") == Array("te".utf8))
    }

    @Test func `a power failure keeps a file if the file and its folder were synced`() throws {
        let system = SimulatedDisk.Handle(disk)
        try system.makeFolder("/jobs")
        try write("text", to: "/a", isSynced: true)
        try system.rename("/a", to: "/jobs/b")
        try system.syncFolder("/jobs")
        try system.syncFolder("/")
        disk.cutPower { false }
        #expect(disk.files == ["/jobs/b"])
        #expect(disk.read("/jobs/b") == Array("text".utf8))
    }

    @Test(arguments: [false, true])
    func `if a rename was not synced, the rename is kept or lost atomically`(isKept: Bool) throws {
        try write("text", to: "/a", isSynced: true)
        try SimulatedDisk.Handle(disk).syncFolder("/")
        try SimulatedDisk.Handle(disk).rename("/a", to: "/b")
        disk.cutPower { isKept }
        #expect(disk.files == [isKept ? "/b" : "/a"])
    }

    @Test func `on the simulated disk, a process cannot change a file after the process has ended`() throws {
        let system = SimulatedDisk.Handle(disk, isAlive: { false })
        #expect(throws: SystemCallError.self) { _ = try system.create("/a") }
        try write("text", to: "/a", isSynced: true)
        system.remove("/a")
        #expect(disk.files == ["/a"])
    }
}
