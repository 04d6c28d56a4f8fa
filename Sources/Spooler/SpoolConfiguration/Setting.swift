// A setting of printd: its key, type, range, default and meaning.

import PrintModel

/// A setting of a spool.
///
/// The table `Setting.all` is the only list of the settings. The parser, `printq config`, the sample file, the help and
/// the table in `Spool/README.md` use this list.
package struct Setting: Sendable, Hashable {
    /// The key in the configuration file, including the key of the containing object, such as `worker.memoryMiB`.
    package let key: String
    /// The type and the valid values of the setting.
    package let kind: Kind
    /// The default value.
    package let standard: SettingValue
    /// The unit of the value; empty if the value has no unit.
    package let unit: String
    /// The default as text: its value, or a description if the default is not a constant.
    package let defaultText: String
    /// The description of the setting in full sentences.
    package let meaning: String
    /// Whether a new value takes effect only when printd starts.
    package let needsRestart: Bool
    /// The command-line option of printd that overrides the setting; nil if there is no such option.
    package let option: String?

    /// The types of setting values.
    package enum Kind: Sendable, Hashable {
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Int>)
        /// The value `true` or `false`.
        case boolean
        /// One of the given keywords.
        case choice([String])
        /// A TCP address of the loopback interface.
        case address
        /// A list of TCP addresses with numeric hosts.
        case addresses
        /// A list of networks, such as `192.168.0.0/16` (CIDR).
        case networks
        /// A list of host names and numeric addresses.
        case hostNames
        /// A text that is not empty.
        case text
        /// A list of such texts.
        case texts
        /// A list of the given keywords, at least one.
        case choices([String])
        /// An address with the scheme `https:`, without a query.
        case issuer
        /// A path of a file, or an address with the scheme `https:`.
        case fileOrAddress
        /// The end of user names: empty, or a name of a domain.
        case realm
        /// A CUPS server: `HOST[:PORT]` or the path of a socket.
        case cupsServer
        /// The URI of a PostgreSQL database, without a password.
        case database
        /// The name of a host: letters, digits, `-`, `_` and `.`.
        case host
        /// A path of a file.
        case file
        /// A path of a folder.
        case folder
        /// A speed of simulated printers.
        case speed
        /// A name or number of a user.
        case user
        /// A Boolean value, or a number of days.
        case documentKeeping
        /// A Boolean value, or an object with the paths of a certificate and a key.
        case certificate
    }

    /// Creates a setting for the table `Setting.all`.
    init(
        _ key: String, _ kind: Kind, default standard: SettingValue = .none, unit: String = "",
        described: String? = nil, needsRestart: Bool = false, option: String? = nil, _ meaning: String
    ) {
        self.key = key
        self.kind = kind
        self.standard = standard
        self.unit = unit
        defaultText = described ?? standard.description
        self.meaning = meaning
        self.needsRestart = needsRestart
        self.option = option
    }

    /// The path of keys from the root of the file to the setting.
    package var path: [String] { key.split(separator: ".").map(String.init) }

    /// The valid values as text, such as `0 to 36500`.
    package var range: String {
        switch kind {
        case .integer(let range), .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .boolean: "true or false"
        case .choice(let names): names.joined(separator: " or ")
        case .address: "\"HOST:PORT\" of the loopback interface"
        case .addresses: "[\"ADDRESS:PORT\", …] with numeric addresses"
        case .networks: "[\"ADDRESS/BITS\", …]"
        case .hostNames, .texts: "[\"NAME\", …]"
        case .text: "a text"
        case .choices(let names): "a list of \(names.joined(separator: ", "))"
        case .issuer: "\"https://HOST/PATH\""
        case .fileOrAddress: "the path of a file or \"https://HOST/PATH\""
        case .realm: "\"\" or a name of a domain"
        case .cupsServer: "\"HOST[:PORT]\" or the path of a socket"
        case .database: "\"postgresql://HOST/DATABASE\" without a password"
        case .host: "up to 100 letters, digits, '-', '_' and '.'"
        case .file: "the path of a file"
        case .folder: "the path of a folder"
        case .speed: "instant, x1 or xN"
        case .user: "a name or a number"
        case .documentKeeping: "true, false, or 0 to 36500 days"
        case .certificate: "true, false, or {certificate: FILE, key: FILE}"
        }
    }

    /// Returns whether two settings have the same key.
    package static func == (one: Setting, other: Setting) -> Bool { one.key == other.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

package enum SettingValue: Sendable, Hashable, CustomStringConvertible {
    /// No value (`null`).
    ///
    /// The default applies, or the feature is off.
    case none
    /// A Boolean value.
    case bool(Bool)
    /// A number.
    ///
    /// For settings of the kind `integer`, the number is whole.
    case number(Double)
    /// A string, a keyword or a path.
    case text(String)
    /// A list of strings.
    case list([String])
    /// A certificate and its key in PEM files.
    case files(certificate: String, key: String)

    /// Returns the value for a whole number.
    package static func integer(_ value: Int) -> SettingValue { .number(Double(value)) }

    /// The value in JSON5, on one line.
    package var literal: String {
        switch self {
        case .none: "null"
        case .bool(let isOn): "\(isOn)"
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .text(let text): Self.quoted(text)
        case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
        case .files(let certificate, let key):
            "{ certificate: \(Self.quoted(certificate)), key: \(Self.quoted(key)) }"
        }
    }

    /// The value in a form for people, in which keywords and paths have no quotes.
    package var description: String {
        switch self {
        case .none: "none"
        case .text(let text): text
        case .list(let texts): texts.joined(separator: ", ")
        default: literal
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _
            where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028 || scalar.value == 0x2029:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// The reason why a value is invalid, without the file name and the line number.
package struct SettingProblem: Error, Hashable, CustomStringConvertible {
    /// The message, which contains the setting, the value and the valid values.
    package var description: String
    /// The byte offset of the invalid part in the file; nil if the whole value is invalid.
    var offset: Int?

    init(_ description: String, offset: Int? = nil) {
        self.description = description
        self.offset = offset
    }
}
