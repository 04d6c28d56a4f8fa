// Reads one object of a printer's file, key by key, and says exactly what is wrong.

/// One object of a printer's file, and where in the file it stands.
///
/// Every error names the file, the key with its path, and what is allowed there.
struct DescriptionReader {
    let file: String
    let path: String
    private let values: [String: JSONValue]

    /// The object, which may have the given keys and no others.
    init(_ value: JSONValue, file: String, path: String = "", keys: [String]) throws(SimulatorError) {
        guard case .object(let values) = value else {
            let place = path.isEmpty ? "the file" : "'\(path)'"
            throw SimulatorError(
                .badDescription,
                "\(file): \(place) must be an object with the keys \(keys.joined(separator: ", ")), but it is \(value)")
        }
        self.file = file
        self.path = path
        self.values = values
        if let unknown = values.keys.sorted().first(where: { !keys.contains($0) }) {
            throw SimulatorError(
                .badDescription,
                "\(file): '\(place(unknown))' is not a known key; the keys allowed here are "
                    + keys.joined(separator: ", "))
        }
    }

    /// Whether the key is there.
    func has(_ key: String) -> Bool { values[key] != nil }

    /// The value of a key, whatever it is.
    subscript(key: String) -> JSONValue? { values[key] }

    /// The error that says what must be there instead.
    func wrong(_ key: String, _ allowed: String, but value: JSONValue? = nil) -> SimulatorError {
        let found = (value ?? values[key]).map { "it is \($0)" } ?? "it is missing"
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

    /// One of some words.
    func choice<T>(_ key: String, of words: KeyValuePairs<String, T>, or other: T) throws(SimulatorError) -> T {
        guard let value = values[key] else { return other }
        guard let match = words.first(where: { .string($0.key) == value }) else {
            throw wrong(key, "one of " + words.map(\.key).joined(separator: ", "))
        }
        return match.value
    }

    /// A list of words, each made into something; a single word stands for a list of one.
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

    /// The elements of a list that is not empty; a value that is no list stands for a list of one.
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
    /// The number, whole or not; nil for anything else.
    var asNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}
