// What a process has started, and what that has.

import FoundationEssentials
import Glibc

/// Processes that descend from one, as `/proc` tells (proc_pid_stat(5)).
struct ProcessTree: Equatable, Sendable {
    /// A process; another one that gets its number later has another start.
    private struct Member: Hashable {
        var pid: Int32
        var start: UInt64
    }

    private var members: Set<Member> = []

    /// Those that descend from a process now, without itself.
    init(below root: Int32) { members = Self.descendants(of: [root], in: Self.running()) }

    /// These and the others.
    func joined(by other: ProcessTree) -> ProcessTree {
        var tree = self
        tree.members.formUnion(other.members)
        return tree
    }

    /// Those of them that still run, and what they have started since.
    var grown: ProcessTree {
        let running = Self.running()
        var tree = self
        tree.members = members.filter { running[$0.pid]?.start == $0.start }
        tree.members.formUnion(Self.descendants(of: Set(tree.members.map(\.pid)), in: running))
        return tree
    }

    /// Sends a signal to those that still run.
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

    /// All processes that have not ended.
    private static func running() -> [Int32: (parent: Int32, start: UInt64)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var running: [Int32: (parent: Int32, start: UInt64)] = [:]
        for pid in names.compactMap({ Int32($0) }) {
            guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/stat")),
                // The second field is a name in parentheses, which may hold anything.
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
