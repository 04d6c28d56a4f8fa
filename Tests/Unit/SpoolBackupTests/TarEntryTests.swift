import Foundation
import PrintSpool
import PrintTestSupport
import Testing

@testable import SpoolBackup

struct TarEntryTests {
    @Test func `a tar header that TarEntry writes is read as the same entry`() throws {
        let entry = TarEntry(path: "printq-backup/jobs/12/document-1.pdf", size: 70_000)
        let header = entry.header(time: 1_000_000)
        #expect(header.count == 512)
        #expect(try TarEntry.header(header) == .file(entry))
        #expect(entry.padding == 512 - 70_000 % 512)
    }

    @Test(arguments: [
        TarEntry(path: "printq-backup/access/" + String(repeating: "a", count: 127) + ".json", size: 10),
        TarEntry(path: "printq-backup/spool.sqlite", size: 20 << 30),
    ])
    func `a path or a size is written to a pax header if it exceeds the limits of a tar header`(entry: TarEntry) throws
    {
        let header = entry.header(time: 0)
        #expect(header.count == 3 * 512)
        guard case .extended(let size) = try TarEntry.header(Array(header[..<512])) else {
            Issue.record("the first block is not a pax header")
            return
        }
        guard case .file(var file) = try TarEntry.header(Array(header[1024...])) else {
            Issue.record("the last block is not the header of a file")
            return
        }
        try file.apply(Array(header[512..<(512 + size)]))
        #expect(file == entry)
    }

    @Test(arguments: ["1", "2", "3", "5", "L", "g"]) func `a tar entry of a link, folder or special file is refused`(
        type: String
    ) throws {
        var header = TarEntry(path: "printq-backup/printd.json5", size: 0).header(time: 0)
        header[156] = type.utf8.first ?? 0
        #expect(throws: BackupError.self) { try TarEntry.header(Self.summed(header)) }
    }

    @Test func `a tar header with a wrong checksum is refused`() throws {
        var header = TarEntry(path: "printq-backup/printd.json5", size: 0).header(time: 0)
        header[3] ^= 1
        #expect(throws: BackupError.self) { try TarEntry.header(header) }
    }

    @Test(arguments: ["5 a=", "99 path=x\n", "x path=y\n", "12 linkpath=\n", "13 size=-900\n", ""])
    func `malformed pax records cause no crash`(text: String) throws {
        var entry = TarEntry(path: "printq-backup/printd.json5", size: 0)
        _ = try? entry.apply(Array(text.utf8))
        #expect(entry.size >= 0)
    }

    @Test(arguments: [
        "../printd.json5", "/etc/passwd", "jobs/1/../../lock", "jobs/01x/document-1.pdf", "jobs/1/document-1", "lock",
        "spool.sqlite-wal", "types/../printd.json5", "types/.json5", "access/a/b.json", "jobs/1/document-1.p/f",
        "printd.json5/x", "", "running.json",
    ])
    func `a path outside of a spool is not allowed in a backup`(path: String) { #expect(!BackupFiles.mayContain(path)) }

    @Test(arguments: [
        "manifest.json", "spool.sqlite", "SHA256SUMS", "printd.json5", "tls/key.pem", "types/dvi.json5",
        "access/color-laser.json", "jobs/12/document-1.pdf",
    ])
    func `the path of a spool file is allowed in a backup`(path: String) { #expect(BackupFiles.mayContain(path)) }

    @Test func `the SHA-256 digest of the FIPS 180-4 example is the published digest`() {
        var digest = SHA256()
        digest.update(Array("ab".utf8))
        digest.update(Array("c".utf8))
        // FIPS 180-4, example of one block.
        #expect(digest.digest() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// Returns a header with the checksum of its bytes.
    static func summed(_ header: [UInt8]) -> [UInt8] {
        var header = header
        header.replaceSubrange(148..<156, with: Array("        ".utf8))
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        let text = String(repeating: "0", count: 6 - sum.count) + sum + "\0 "
        header.replaceSubrange(148..<156, with: Array(text.utf8))
        return header
    }
}
