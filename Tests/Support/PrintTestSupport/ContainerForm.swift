// Writes Office documents in forms that other programs write, but LibreOffice does not.

import Foundation

/// A form of a container that programs other than LibreOffice write.
public enum ContainerForm: String, CaseIterable, Sendable {
    /// A compound file whose names are in capital letters.
    case capitals
    /// A compound file with an embedded Word document.
    case object
    /// A compound file whose directory is in two places.
    case apart
    /// An OpenDocument file whose entry `mimetype` is the last, and compressed.
    case last
    /// An Office Open XML document that contains an uncompressed workbook.
    case stored

    /// Copies a document that LibreOffice wrote, in this form.
    ///
    /// - Parameters:
    ///   - workbook: The path of the workbook that the form `stored` embeds.
    public func copy(_ document: String, to path: String, workbook: String = "") async throws {
        let run = try await ProgramRun(
            "/usr/bin/python3", ["-c", Self.program, rawValue, document, path, workbook], environment: [:], in: "/")
        guard run.code == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["complaints": run.complaints]) }
    }

    /// Writes a compound file whose streams are empty; `A/b` is a stream in a storage.
    public static func writeCompoundFile(_ streams: [String], to path: String) async throws {
        let run = try await ProgramRun(
            "/usr/bin/python3", ["-c", program, "names", "", path] + streams, environment: [:], in: "/")
        guard run.code == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["complaints": run.complaints]) }
    }

    private static let program = #"""
        import struct, sys, zipfile

        def sectors(data, size): return [data[i:i + size].ljust(size, b"\0") for i in range(0, len(data), size)]

        def compound(path, streams, gap):
            # 'A/b' is a stream in a storage; `gap` sectors divide the directory.
            entries, data, table = [["Root Entry", 5, -1, -1, -1, -2, 0]], [], []
            def chain(parts):
                start = len(data)
                data.extend(parts); table.extend(range(start + 1, start + len(parts))); table.append(-2)
                return start
            def add(name, kind, parent, start, length):
                entries.append([name, kind, -1, -1, -1, start, length])
                index, first = len(entries) - 1, entries[parent][4]
                if first < 0: entries[parent][4] = index
                while first >= 0:
                    if entries[first][3] < 0: entries[first][3], index = index, -1
                    first = entries[first][3] if index >= 0 else -1
                return len(entries) - 1
            first = chain([b""])
            storages = {"": 0}
            for name, content in streams.items():
                folder, _, leaf = name.rpartition("/")
                if folder not in storages: storages[folder] = add(folder, 1, 0, 0, 0)
                content = content.ljust(4096, b"\0")
                add(leaf, 2, storages[folder], chain(sectors(content, 512)), len(content))
            chain([b"\x11" * 512] * gap)
            directory = b"".join(
                struct.pack("<64sHBBiii36xiQ", n.encode("utf-16-le"), 2 * len(n) + 2, k, 1, l, r, c, s, size)
                for n, k, l, r, c, s, size in entries)
            parts = sectors(directory, 512)
            data[first] = parts[0]
            if parts[1:]: table[first] = chain(parts[1:])
            count = 1
            while count * 128 < len(table) + count: count += 1
            base = len(data)
            table = table + [-3] * count
            table += [-1] * (count * 128 - len(table))
            header = struct.pack(
                "<8s16xHHHHH6xIIiIIiIiI", bytes.fromhex("d0cf11e0a1b11ae1"), 62, 3, 0xFFFE, 9, 6, 0, count, first,
                0, 4096, -2, 0, -2, 0)
            header += struct.pack("<109i", *range(base, base + count), *[-1] * (109 - count))
            with open(path, "wb") as file: file.write(header + b"".join(data) + struct.pack(f"<{count * 128}i", *table))

        def streams(path):
            # Returns the streams of a small compound file.
            file = open(path, "rb").read()
            sector = lambda n: file[(n + 1) * 512:(n + 2) * 512]
            tables = [sector(s) for s in struct.unpack_from("<109i", file, 76) if s >= 0]
            table = struct.unpack(f"<{128 * len(tables)}i", b"".join(tables))
            def chain(n):
                parts = []
                while n >= 0: parts.append(sector(n)); n = table[n]
                return b"".join(parts)
            directory = chain(struct.unpack_from("<i", file, 48)[0])
            small = chain(struct.unpack_from("<i", directory, 116)[0])
            links = [n for n, in struct.iter_unpack("<i", chain(struct.unpack_from("<i", file, 60)[0]))]
            found = {}
            for at in range(0, len(directory), 128):
                length, kind = struct.unpack_from("<HB", directory, at + 64)
                start, size = struct.unpack_from("<iI", directory, at + 116)
                if kind != 2: continue
                content = chain(start) if size >= 4096 else b""
                while size < 4096 and start >= 0: content += small[start * 64:start * 64 + 64]; start = links[start]
                found[directory[at:at + length - 2].decode("utf-16-le")] = content[:size]
            return found

        def copy(source, target, order, added=[]):
            with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
                for name in sorted(old.namelist(), key=order): new.writestr(name, old.read(name))
                for file, name in added: new.write(file, name, zipfile.ZIP_STORED)

        kind, source, target = sys.argv[1:4]
        if kind == "names": compound(target, {name: b"" for name in sys.argv[4:]}, 0)
        if kind == "capitals": compound(target, {n.upper(): s for n, s in streams(source).items()}, 0)
        if kind == "object": compound(target, {**streams(source), "MBD1/WordDocument": b"", "MBD1/1Table": b""}, 0)
        if kind == "apart": compound(target, {"A": b"", "B": b"", "C": b"", **streams(source)}, 100)
        if kind == "last": copy(source, target, lambda name: name == "mimetype")
        if kind == "stored": copy(source, target, lambda name: 0, [(sys.argv[4], "ppt/embeddings/table.xlsx")])
        """#
}
