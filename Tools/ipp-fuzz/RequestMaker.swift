// Generates invalid requests.

import IPP
import PrinterSimulator

/// A generator of requests: damaged valid requests, and well-formed requests with meaningless content.
struct RequestMaker {
    private var luck: SeededGenerator
    private let good: [[UInt8]]

    /// Creates the generator for a seed.
    init(seed: UInt64) throws {
        luck = SeededGenerator(seed: seed)
        good = try Self.operations.map { operation in
            var message = Self.honest(operation, at: "ipp://localhost/ipp/print/laser")
            message.groups[0].append(contentsOf: Self.extra)
            message.groups += [
                AttributeGroup(.job, Self.template),
                AttributeGroup(.subscription, [Attribute("notify-pull-method", .keyword("ippget"))]),
            ]
            return try message.encoded()
        }
    }

    /// Returns the bytes of the next request without its document.
    mutating func next() -> [UInt8] {
        let kind = Int.random(in: 0..<10, using: &luck)
        var bytes = kind < 5 ? good.randomElement(using: &luck)! : senseless()
        guard kind < 7 else { return bytes }
        for _ in 0...[0, 0, 0, 1, 3].randomElement(using: &luck)! where bytes.count > 9 { damage(&bytes) }
        return bytes
    }

    /// Returns the data after the attributes, which are often empty.
    mutating func document() -> [UInt8] {
        switch Int.random(in: 0..<8, using: &luck) {
        case 0: Array("%PDF-1.4 …".utf8)
        case 1: [0xFF, 0xD8, 0xFF, 0xE0] + some(40)
        case 2: Array("UNIRAST\0".utf8) + some(60)
        case 3: some(Int.random(in: 1...300, using: &luck))
        default: []
        }
    }

    /// Returns the number of bytes that arrive at once.
    mutating func pieceLength() -> Int {
        Bool.random(using: &luck) ? Int.random(in: 1...7, using: &luck) : Int.random(in: 8...2000, using: &luck)
    }

    private mutating func some(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &luck) }
    }

    // MARK: - Damage

    private mutating func damage(_ bytes: inout [UInt8]) {
        let place = Int.random(in: bytes.indices, using: &luck)
        let end = min(bytes.count, place + Int.random(in: 1...24, using: &luck))
        switch Int.random(in: 0..<24, using: &luck) {
        case 0..<8: bytes[place] = UInt8.random(in: 0...255, using: &luck)
        case 8..<14: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &luck)
        case 14: bytes.remove(at: place)
        case 15: bytes.insert(UInt8.random(in: 0...255, using: &luck), at: place)
        case 16: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: bytes.indices, using: &luck))
        case 17: bytes.removeSubrange(place..<end)
        case 18: bytes = Array(bytes.prefix(max(1, place)))
        case 19: bytes.replaceSubrange(2..<4, with: Self.code(Self.operations.randomElement(using: &luck)!))
        case 20: bytes[place] = Self.tags.randomElement(using: &luck)!
        case 21: bytes.insert(contentsOf: [Self.tags.randomElement(using: &luck)!, 0, 0, 0, 4] + some(4), at: place)
        case 22:
            let other = good.randomElement(using: &luck)!
            bytes = Array(bytes.prefix(place)) + other.dropFirst(min(other.count, place))
        default: bytes.insert(contentsOf: Array(repeating: bytes[place], count: 40), at: place)
        }
    }

    private static func code(_ operation: IPP.Operation) -> [UInt8] {
        [UInt8(operation.rawValue >> 8), UInt8(operation.rawValue & 0xFF)]
    }

    /// Tags of groups and of values, and invalid tags.
    private static let tags: [UInt8] = Array(0x00...0x0A) + Array(0x10...0x17) + Array(0x20...0x24) + Array(0x30...0x4A)

    // MARK: - Well-formed but meaningless

    private mutating func senseless() -> [UInt8] {
        var groups: [AttributeGroup] = []
        for index in 0..<[1, 2, 2, 2, 3].randomElement(using: &luck)! {
            let tags: [GroupTag] = [.job, .job, .job, .subscription, .printer, .document, .operation]
            var group = AttributeGroup(index == 0 ? .operation : tags.randomElement(using: &luck)!)
            if index == 0 { group.append(contentsOf: Self.opening(Self.uris.randomElement(using: &luck)!)) }
            for _ in 0..<Int.random(in: 0...6, using: &luck) {
                let name = Self.names.randomElement(using: &luck)!
                if group[name] == nil { group.append(Attribute(name, values(of: name, depth: 0))) }
            }
            groups.append(group)
        }
        let oddly = Int.random(in: 0..<40, using: &luck)
        let message = Message(
            version: Version(major: oddly == 0 ? 3 : 2, minor: UInt8.random(in: 0...2, using: &luck)),
            operation: Self.operations.randomElement(using: &luck)!,
            requestID: oddly == 1 ? 0 : oddly == 2 ? -1 : Int32.random(in: 1 ... .max, using: &luck), groups: groups)
        return (try? message.encoded()) ?? good[0]
    }

    /// Returns values for an attribute; they are often valid.
    private mutating func values(of name: String, depth: Int) -> [Value] {
        if Bool.random(using: &luck), let honest = Self.honestValues[name] { return honest }
        return values(depth: depth)
    }

    private mutating func values(depth: Int) -> [Value] {
        (0..<[1, 1, 1, 1, 2, 3, 20].randomElement(using: &luck)!).map { _ in value(depth: depth) }
    }

    private mutating func value(depth: Int) -> Value {
        let word = Self.words.randomElement(using: &luck)!
        let number = Self.numbers.randomElement(using: &luck)!
        switch Int.random(in: 0..<16, using: &luck) {
        case 0, 1: return .integer(number)
        case 2: return .enumeration(number)
        case 3: return .boolean(Bool.random(using: &luck))
        case 4, 5, 6: return .keyword(word)
        case 7: return .name(word)
        case 8: return .text(word)
        case 9: return .uri(Self.uris.randomElement(using: &luck)!)
        case 10: return .range(IntegerRange(lower: number, upper: Self.numbers.randomElement(using: &luck)!))
        case 11: return .resolution(Resolution(crossFeed: number, feed: number))
        case 12: return .outOfBand([.noValue, .unknown, .unsupported, .deleteAttribute].randomElement(using: &luck)!)
        case 13: return .octetString(some(Int.random(in: 0...40, using: &luck)))
        case 14: return .mimeMediaType(word)
        default:
            guard depth < 4 else { return .integer(number) }
            let names = (0..<Int.random(in: 0...4, using: &luck)).map { _ in Self.names.randomElement(using: &luck)! }
            return .collection(
                IPP.Collection(Set(names).sorted().map { Attribute($0, values(of: $0, depth: depth + 1)) }))
        }
    }
}
