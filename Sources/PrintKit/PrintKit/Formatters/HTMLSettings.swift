// Access rights and limits for HTML layout.

public import HTMLLayout

// Limits and processes that an app can set for HTML layout.
@_exported public import class HTMLLayout.HTMLEngine
@_exported public import struct HTMLLayout.HTMLLimits

/// Access rights and limits for HTML layout.
public struct HTMLSettings: Hashable, Sendable {
    /// The base folder for relative references.
    ///
    /// Only files below this folder can be read. The default is `nil`, which permits no file access.
    public var baseFolder: String?
    /// Whether `http:` and `https:` references are fetched.
    ///
    /// The default is false. `limits` bounds the number of requests, their bytes and their time. The engine uses no
    /// cookies, credentials or proxies.
    public var allowsNetwork = false
    /// Whether references to private networks and to this machine are fetched, too.
    ///
    /// The default is false: the engine connects only to addresses of the public internet. The engine checks the IP
    /// address of each connection, so redirects and changed DNS records cannot bypass the check.
    public var allowsPrivateNetworks = false
    /// The limits of the layout.
    ///
    /// If the layout exceeds a limit, the layout stops and the job fails.
    public var limits = HTMLLimits()

    /// Creates settings without file access and network access, with the default limits.
    public init() {}
}

/// A type that lays out HTML: `MarkupTextPrintFormatter` or `WebView`.
///
/// Each setting is also a property of this type: `formatter.baseFolder = "/srv/report"`.
@dynamicMemberLookup
public protocol HTMLLaying: AnyObject {
    /// The access rights and limits for the layout of the HTML.
    var settings: HTMLSettings { get set }
}

extension HTMLLaying {
    /// Reads or writes one setting of the HTML layout.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<HTMLSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }
}
