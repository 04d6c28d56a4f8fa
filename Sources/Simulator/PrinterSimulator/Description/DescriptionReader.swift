// Reads one object of a printer file, key by key, with precise errors.

/// A JSON object in a printer file, with the path of the object in the file.
///
/// Every error contains the file, the key with its path, and the allowed values.
struct DescriptionReader {
    let file: String
    let path: String
    private let values: [String: JSONValue]

    /// - Throws: `badDescription` if the value is not an object, or if the object has a key that is not in `keys`.
    init(_ value: JSONValue, file: String, path: String = "", keys: [String]) throws(SimulatorError) {
        guard case .object(let values) = value else {
            let place = path.isEmpty ? "the file" : "'\(path)'"
            throw SimulatorError(
                .badDescription,
                "\(file): \(place) must be an object with the keys \(keys.joined(separator: ", ")), but is \(value)")
        }
        self.file = file
        self.path = path
        self.values = values
        if let unknown = values.keys.sorted().first(where: { !keys.contains($0) }) {
            throw SimulatorError(
                .badDescription,
                "\(file): '\(place(unknown))' is an unknown key; the allowed keys are "
                    + keys.joined(separator: ", "))
        }
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    subscript(key: String) -> JSONValue? { values[key] }

    func wrong(_ key: String, _ allowed: String, but value: JSONValue? = nil) -> SimulatorError {
        let found = (value ?? values[key]).map { "is \($0)" } ?? "is missing"
        return SimulatorError(.badDescription, "\(file): '\(place(key))' must be \(allowed), but \(found)")
    }

    func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func string(_ key: String, or other: String? = nil) throws(SimulatorError) -> String {
        if case .string(let text)? = values[key], !text.isEmpty { return text }
        guard let other, !has(key) else { throw wrong(key, "a text") }
        return other
    }

    func bool(_ key: String, or other: Bool) throws(SimulatorError) -> Bool {
        if case .bool(let value)? = values[key] { return value }
        guard !has(key) else { throw wrong(key, "true or false") }
        return other
    }

    func integer(_ key: String, in range: ClosedRange<Int>, or other: Int? = nil) throws(SimulatorError) -> Int {
        if case .integer(let value)? = values[key], range.contains(value) { return value }
        guard let other, !has(key) else {
            throw wrong(key, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return other
    }

    func number(_ key: String, in range: ClosedRange<Double>, or other: Double) throws(SimulatorError) -> Double {
        guard let value = values[key] else { return other }
        guard let number = value.asNumber, range.contains(number) else {
            throw wrong(key, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<T>(_ key: String, of words: KeyValuePairs<String, T>, or other: T) throws(SimulatorError) -> T {
        guard let value = values[key] else { return other }
        guard let match = words.first(where: { .string($0.key) == value }) else {
            throw wrong(key, "one of " + words.map(\.key).joined(separator: ", "))
        }
        return match.value
    }

    /// A single word counts as a list with one element.
    func words<T>(
        _ key: String, _ allowed: String, or other: [T]? = nil, make: (String) -> T?
    ) throws(SimulatorError) -> [T] {
        var result: [T] = []
        for value in try elements(key, allowed, isOptional: other != nil) ?? [] {
            guard case .string(let word) = value, let made = make(word) else { throw wrong(key, allowed, but: value) }
            result.append(made)
        }
        if result.isEmpty, let other { return other }
        return result
    }

    /// Reads the elements of a list, which must not be empty.
    ///
    /// A value that is not a list counts as a list with one element. The result is nil if an optional key is missing.
    func elements(
        _ key: String, _ allowed: String, isOptional: Bool = false
    ) throws(SimulatorError) -> [JSONValue]? {
        guard let value = values[key] else {
            if isOptional { return nil }
            throw wrong(key, allowed)
        }
        guard case .array(let elements) = value else { return [value] }
        guard !elements.isEmpty else { throw wrong(key, allowed) }
        return elements
    }
}

extension JSONValue {
    var asNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}
