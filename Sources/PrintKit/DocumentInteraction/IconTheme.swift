// Finds the image files of icons.

import FoundationEssentials
import Glibc
import SafeFiles

/// An image file of an icon.
public struct IconFile: Hashable, Sendable {
    /// The path of a PNG, SVG or XPM file.
    public let path: String
    /// The width and the height for which the image is drawn, in points; `nil` for an image outside a theme.
    public let size: Int?
    /// The scale of the image: an image with scale 2 has twice as many pixels as points.
    public let scale: Int
    /// Whether the image is a drawing for all sizes.
    public let isScalable: Bool
}

/// The icons of the desktop (Icon Theme Specification 0.13).
///
///     IconTheme(named: "Adwaita").files(for: ["application-pdf", "x-office-document"]).map(\.path)
public struct IconTheme: Sendable {
    private let folders: [String]
    private let themes: [Theme]

    private struct Theme: Sendable {
        var name: String
        var index: DesktopFile
    }

    /// Creates a theme with the themes that it inherits from, and the theme `hicolor`, which each desktop has.
    public init(named name: String = "Adwaita") {
        self.init(named: name, environment: ProcessInfo.processInfo.environment)
    }

    init(named name: String, environment: [String: String]) {
        let data = DesktopFolders(environment: environment).data
        let home = environment["HOME"] ?? ""
        let folders = (home.isEmpty ? [] : ["\(home)/.icons"]) + data.map { "\($0)/icons" } + ["/usr/share/pixmaps"]
        self.folders = folders
        var (themes, names, seen) = ([Theme](), [name], Set<String>())
        while let next = names.first {
            names.removeFirst()
            guard !next.contains("/"), seen.insert(next).inserted,
                let index = folders.lazy.compactMap({ DesktopFile(path: "\($0)/\(next)/index.theme") }).first
            else { continue }
            themes.append(Theme(name: next, index: index))
            names += (index.values(of: "Icon Theme")["Inherits"] ?? "").split(separator: ",").map(String.init)
            if names.isEmpty { names.append("hicolor") }
        }
        self.themes = themes
    }

    /// Returns the files of the first icon that exists, the smallest size first; empty if no icon exists.
    ///
    /// - Parameter names: Names of icons, the best icon first. An absolute path is the file itself.
    public func files(for names: [String]) -> [IconFile] {
        for name in names {
            let found = files(named: name)
            if !found.isEmpty { return found }
        }
        return []
    }

    private func files(named name: String) -> [IconFile] {
        if name.hasPrefix("/") {
            return access(name, R_OK) == 0
                ? [IconFile(path: name, size: nil, scale: 1, isScalable: name.hasSuffix(".svg"))] : []
        }
        guard !name.isEmpty, !name.contains("/") else { return [] }
        for theme in themes {
            let found = files(named: name, in: theme)
            if !found.isEmpty { return found }
        }
        return paths(named: name, in: "").map {
            IconFile(path: $0, size: nil, scale: 1, isScalable: $0.hasSuffix(".svg"))
        }
    }

    private func files(named name: String, in theme: Theme) -> [IconFile] {
        let lists = theme.index.values(of: "Icon Theme")
        let places = ["Directories", "ScaledDirectories"].flatMap { (lists[$0] ?? "").split(separator: ",") }
            .map(String.init)
        let found = places.flatMap { place -> [IconFile] in
            let values = theme.index.values(of: place)
            guard let size = values["Size"].flatMap({ Int($0) }), !place.hasPrefix("/"), !place.contains("..") else {
                return []
            }
            let scale = values["Scale"].flatMap { Int($0) } ?? 1
            return paths(named: name, in: "\(theme.name)/\(place)/").map {
                IconFile(path: $0, size: size, scale: scale, isScalable: values["Type"] == "Scalable")
            }
        }
        return found.sorted {
            ($0.isScalable ? 1 : 0, $0.size ?? 0, $0.scale) < ($1.isScalable ? 1 : 0, $1.size ?? 0, $1.scale)
        }
    }

    /// Returns the file of an icon in the first folder that contains the icon.
    private func paths(named name: String, in place: String) -> [String] {
        let candidates = folders.lazy.flatMap { folder in
            ["png", "svg", "xpm"].map { "\(folder)/\(place)\(name).\($0)" }
        }
        return candidates.first { access($0, R_OK) == 0 }.map { [$0] } ?? []
    }
}
