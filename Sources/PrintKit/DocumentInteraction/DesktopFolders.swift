// Finds the folders of the desktop's files.

/// The folders in which a desktop stores its files (XDG Base Directory Specification), the folder of the user first.
struct DesktopFolders {
    /// The folders of data, such as desktop entries.
    let data: [String]
    /// The folders of configuration files.
    let configuration: [String]

    init(environment: [String: String]) {
        func folders(_ name: String, _ byDefault: String) -> [String] {
            let value = environment[name] ?? ""
            // The specification ignores relative paths.
            let paths = (value.isEmpty ? byDefault : value).split(separator: ":").map(String.init)
            return paths.filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"] ?? ""
        configuration = folders("XDG_CONFIG_HOME", "\(home)/.config").prefix(1) + folders("XDG_CONFIG_DIRS", "/etc/xdg")
        data =
            folders("XDG_DATA_HOME", "\(home)/.local/share").prefix(1)
            + folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    }
}
