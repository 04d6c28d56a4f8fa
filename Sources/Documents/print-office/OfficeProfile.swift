// The settings of LibreOffice: no macros, no links, a fixed locale.

/// The user profile of LibreOffice, with settings that disable macros and links.
///
/// The settings are only an additional protection: they do not block all references from a document to other files. The
/// sandbox blocks these references.
enum OfficeProfile {
    /// The content of the settings file `registrymodifications.xcu`.
    static let settings = """
        <?xml version="1.0" encoding="UTF-8"?>
        <oor:items xmlns:oor="http://openoffice.org/2001/registry" \
        xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        \(values.map(item).joined(separator: "\n"))
        </oor:items>

        """

    private static let values: [(path: String, name: String, value: String)] = [
        // Macros and references to other files.
        ("org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
        ("org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
        ("org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
        ("org.openoffice.Office.Common/Security/Scripting", "DisableActiveContent", "true"),
        ("org.openoffice.Office.Writer/Content/Update", "Link", "0"),
        ("org.openoffice.Office.Calc/Content/Update", "Link", "2"),
        ("org.openoffice.Office.Java/VirtualMachine", "Enable", "false"),
        // The folder of the document is read-only.
        ("org.openoffice.Office.Common/Misc", "UseLocking", "false"),
        ("org.openoffice.Office.Common/Save/Document", "AutoSave", "false"),
        ("org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
        // The same pages on all machines.
        ("org.openoffice.Setup/L10N", "ooLocale", "en-US"),
        ("org.openoffice.Setup/L10N", "ooSetupSystemLocale", "en-US"),
        ("org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
        ("org.openoffice.Office.Common/Misc", "FirstRun", "false"),
        // After an upgrade, LibreOffice tests its drawing functions with large images, which takes longer than its start.
        ("org.openoffice.Setup/Product", "ooSetupLastVersion", "99.9"),
    ]

    private static func item(_ path: String, _ name: String, _ value: String) -> String {
        "<item oor:path=\"/\(path)\"><prop oor:name=\"\(name)\" oor:op=\"fuse\"><value>\(value)</value></prop></item>"
    }
}
