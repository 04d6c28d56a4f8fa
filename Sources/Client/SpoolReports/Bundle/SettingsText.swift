// Reads the settings of printd for the support bundle.

import FoundationEssentials
import SpoolerClient

/// The values of a settings file as JSON, without the comments of the file.
struct SettingsText: Decodable {
    let json: JSONText

    /// Reads a settings file.
    ///
    /// The result is nil if the file does not exist or cannot be read.
    ///
    /// If the file is not valid JSON5, the result does not contain the text of the file, because the text can contain
    /// secrets.
    static func read(_ path: String) -> JSONText? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        guard let settings = try? decoder.decode(SettingsText.self, from: data) else {
            return .string("the file is not valid JSON5")
        }
        return settings.json
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Key.self) {
            json = .object(
                try members.allKeys.map { ($0.stringValue, try members.decode(SettingsText.self, forKey: $0).json) }
                    .sorted { $0.0 < $1.0 })
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var values: [JSONText] = []
            while !elements.isAtEnd { values.append(try elements.decode(SettingsText.self).json) }
            json = .array(values)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            json = .null
        } else if let truth = try? value.decode(Bool.self) {
            json = .bool(truth)
        } else if let number = try? value.decode(Int.self) {
            json = .number(number)
        } else if let number = try? value.decode(Double.self) {
            json = .decimal(number)
        } else {
            json = .string(try value.decode(String.self))
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
