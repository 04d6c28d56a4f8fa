// What HTML may have, and use up.

public import PrintWork

// What an app may allow HTML to use up.
@_exported public import struct PrintWork.HTMLLimits

/// What HTML may have, and use up, while it is laid out.
public struct HTMLSettings: Hashable, Sendable {
    /// The folder that relative references begin in and below which files may be read; none at first, and no files.
    public var baseFolder: String?
    /// Whether `http:` and `https:` references are fetched; false at first.
    public var allowsNetwork = false
    /// What the layout may use up; at one of these limits it is given up, and the job ends with its words.
    public var limits = HTMLLimits()

    /// No files, no network, and the default limits.
    public init() {}
}

/// Something that lays HTML out: `MarkupTextPrintFormatter`, `WebView`.
///
/// Each setting can be set by its own name: `formatter.baseFolder = "/srv/report"`.
@dynamicMemberLookup
public protocol HTMLLaying: AnyObject {
    /// What the HTML may have, and use up.
    var settings: HTMLSettings { get set }
}

extension HTMLLaying {
    /// One of the settings.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<HTMLSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }
}
