// Finds the descendants of a process.

import FoundationEssentials
import Glibc

/// The descendants of a process, as listed in `/proc` (proc_pid_stat(5)).
struct ProcessTree: Sendable {
    /// A process, identified by its ID and start time, because process IDs are reused.
    private struct Member: Hashable {
        var pid: Int32
        var start: UInt64
    }

    private var members: Set<Member> = []

    /// Creates an empty set.
    init() {}

    /// Returns the processes that are still running, and all descendants of these processes and of `root`, after it has
    /// stopped them.
    ///
    /// A process that has been stopped can start no other process. To find the processes that `root` starts meanwhile,
    /// stop `root` first.
    func stopped(below root: Int32? = nil) -> ProcessTree {
        var tree = self
        while true {
            tree.send(SIGSTOP)
            let running = Self.running()
            let known = tree.members.filter { running[$0.pid]?.start == $0.start }
            let roots = Set(known.map(\.pid)).union(root.map { [$0] } ?? [])
            let all = known.union(Self.descendants(of: roots, in: running))
            if all == tree.members { return tree }
            tree.members = all
        }
    }

    /// Sends a signal to the processes that are still running.
    func send(_ signal: Int32) {
        let running = Self.running()
        for member in members where running[member.pid]?.start == member.start { _ = kill(member.pid, signal) }
    }

    private static func descendants(of roots: Set<Int32>, in running: [Int32: (parent: Int32, start: UInt64)])
        -> Set<Member>
    {
        var found: Set<Member> = []
        var parents = roots
        while !parents.isEmpty {
            let children = running.filter { parents.contains($0.value.parent) }
            let new = Set(children.map { Member(pid: $0.key, start: $0.value.start) }).subtracting(found)
            found.formUnion(new)
            parents = Set(new.map(\.pid))
        }
        return found
    }

    /// Returns all processes except zombies.
    private static func running() -> [Int32: (parent: Int32, start: UInt64)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var running: [Int32: (parent: Int32, start: UInt64)] = [:]
        for pid in names.compactMap({ Int32($0) }) {
            guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/stat")),
                // The second field is the program name in parentheses, which can contain any character.
                let name = data.lastIndex(of: UInt8(ascii: ")"))
            else { continue }
            let fields = String(decoding: data[(name + 1)...], as: UTF8.self).split(separator: " ")
            guard fields.count > 19, fields[0] != "Z", let parent = Int32(fields[1]), let start = UInt64(fields[19])
            else { continue }
            running[pid] = (parent, start)
        }
        return running
    }
}
