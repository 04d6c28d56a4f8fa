// Encodes and decodes messages with libcups, for comparison with the codec of printq.

import CCups
import IPP

/// The codec of libcups.
enum LibcupsOracle {
    /// Encodes a message with libcups and returns the bytes, or `nil` if libcups fails.
    static func encode(_ message: Message) -> [UInt8]? {
        let ipp = ippNew()
        defer { ippDelete(ipp) }
        ippSetVersion(ipp, Int32(message.version.major), Int32(message.version.minor))
        ippSetOperation(ipp, ipp_op_t(rawValue: Int32(message.code)))
        ippSetRequestId(ipp, message.requestID)
        for (index, group) in message.groups.enumerated() {
            if index > 0 { ippAddSeparator(ipp) }
            add(group.attributes, to: ipp, ipp_tag_t(rawValue: Int32(group.tag.rawValue)))
        }
        ippSetState(ipp, IPP_STATE_IDLE)
        let buffer = Buffer()
        let state = ippWriteIO(
            Unmanaged.passUnretained(buffer).toOpaque(),
            { context, bytes, count in
                let buffer = Unmanaged<Buffer>.fromOpaque(context!).takeUnretainedValue()
                buffer.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
                return count
            }, 1, nil, ipp)
        return state == IPP_STATE_DATA ? buffer.bytes : nil
    }

    /// Decodes bytes with libcups and returns the message, or `nil` if libcups fails.
    static func decode(_ bytes: [UInt8]) -> Message? {
        let ipp = ippNew()
        defer { ippDelete(ipp) }
        let buffer = Buffer()
        buffer.bytes = bytes
        let state = ippReadIO(
            Unmanaged.passUnretained(buffer).toOpaque(),
            { context, target, count in
                let buffer = Unmanaged<Buffer>.fromOpaque(context!).takeUnretainedValue()
                let taken = min(count, buffer.bytes.count - buffer.read)
                for index in 0..<taken { target![index] = buffer.bytes[buffer.read + index] }
                buffer.read += taken
                return taken
            }, 1, nil, ipp)
        guard state == IPP_STATE_DATA else { return nil }
        var minor: Int32 = 0
        let major = ippGetVersion(ipp, &minor)
        return Message(
            version: Version(major: UInt8(major), minor: UInt8(minor)),
            operation: Operation(rawValue: UInt16(ippGetOperation(ipp).rawValue)), requestID: ippGetRequestId(ipp),
            groups: groups(of: ipp))
    }

    private final class Buffer {
        var bytes: [UInt8] = []
        var read = 0
    }
}

// Conversion of values to libcups.
extension LibcupsOracle {
    private static func add(_ attributes: [Attribute], to ipp: OpaquePointer?, _ group: ipp_tag_t) {
        for attribute in attributes {
            var added = add(attribute.name, attribute.values[0], to: ipp, group)
            for (index, value) in attribute.values.enumerated().dropFirst() {
                set(value, at: Int32(index), of: &added, in: ipp)
            }
        }
    }

    private static func add(
        _ name: String, _ value: Value, to ipp: OpaquePointer?, _ group: ipp_tag_t
    ) -> OpaquePointer? {
        let tag = ipp_tag_t(rawValue: Int32(value.tag.rawValue))
        switch value {
        case .integer(let number), .enumeration(let number): return ippAddInteger(ipp, group, tag, name, number)
        case .boolean(let truth): return ippAddBoolean(ipp, group, name, truth ? 1 : 0)
        case .octetString(let octets): return ippAddOctetString(ipp, group, name, octets, Int32(octets.count))
        case .dateTime(let dateTime): return ippAddDate(ipp, group, name, rfc2579(dateTime))
        case .resolution(let it):
            let units = ipp_res_t(rawValue: UInt32(it.units.rawValue))
            return ippAddResolution(ipp, group, name, units, it.crossFeed, it.feed)
        case .range(let range): return ippAddRange(ipp, group, name, range.lower, range.upper)
        case .collection(let collection):
            let members = ippNew()
            add(collection.members, to: members, IPP_TAG_ZERO)
            defer { ippDelete(members) }
            return ippAddCollection(ipp, group, name, members)
        case .textWithLanguage(let localized), .nameWithLanguage(let localized):
            return ippAddString(ipp, group, tag, name, localized.language, localized.string)
        case .outOfBand: return ippAddOutOfBand(ipp, group, tag, name)
        default: return ippAddString(ipp, group, tag, name, nil, value.stringValue)
        }
    }

    private static func set(
        _ value: Value, at index: Int32, of attribute: inout OpaquePointer?, in ipp: OpaquePointer?
    ) {
        switch value {
        case .integer(let number), .enumeration(let number): ippSetInteger(ipp, &attribute, index, number)
        case .boolean(let truth): ippSetBoolean(ipp, &attribute, index, truth ? 1 : 0)
        case .octetString(let octets): ippSetOctetString(ipp, &attribute, index, octets, Int32(octets.count))
        case .resolution(let it):
            let units = ipp_res_t(rawValue: UInt32(it.units.rawValue))
            ippSetResolution(ipp, &attribute, index, units, it.crossFeed, it.feed)
        case .range(let range): ippSetRange(ipp, &attribute, index, range.lower, range.upper)
        case .collection(let collection):
            let members = ippNew()
            add(collection.members, to: members, IPP_TAG_ZERO)
            ippSetCollection(ipp, &attribute, index, members)
            ippDelete(members)
        default: ippSetString(ipp, &attribute, index, value.stringValue)
        }
    }

    private static func rfc2579(_ it: DateTime) -> [UInt8] {
        [
            UInt8(it.year >> 8), UInt8(it.year & 0xFF), it.month, it.day, it.hour, it.minute, it.second, it.decisecond,
            it.direction, it.offsetHours, it.offsetMinutes,
        ]
    }
}

// Conversion of values from libcups.
extension LibcupsOracle {
    private static func groups(of ipp: OpaquePointer?) -> [AttributeGroup] {
        var groups: [AttributeGroup] = []
        var tag: GroupTag?
        var next = ippFirstAttribute(ipp)
        while let attribute = next {
            defer { next = ippNextAttribute(ipp) }
            // A separator has no name and is between two groups.
            guard let name = ippGetName(attribute) else {
                tag = nil
                continue
            }
            let itsTag = GroupTag(rawValue: UInt8(ippGetGroupTag(attribute).rawValue))
            if tag != itsTag { groups.append(AttributeGroup(itsTag)) }
            tag = itsTag
            groups[groups.count - 1].append(Attribute(String(cString: name), values(of: attribute)))
        }
        return groups
    }

    private static func values(of attribute: OpaquePointer) -> [Value] {
        (0..<ippGetCount(attribute)).map { value(at: $0, of: attribute) }
    }

    private static func value(at index: Int32, of attribute: OpaquePointer) -> Value {
        let tag = ippGetValueTag(attribute)
        var language: UnsafePointer<CChar>?
        switch tag {
        case IPP_TAG_INTEGER: return .integer(ippGetInteger(attribute, index))
        case IPP_TAG_ENUM: return .enumeration(ippGetInteger(attribute, index))
        case IPP_TAG_BOOLEAN: return .boolean(ippGetBoolean(attribute, index) != 0)
        case IPP_TAG_STRING: return .octetString(octets(at: index, of: attribute))
        case IPP_TAG_DATE: return .dateTime(dateTime(ippGetDate(attribute, index)))
        case IPP_TAG_RESOLUTION:
            var (feed, units) = (Int32(0), ipp_res_t(rawValue: 0))
            let crossFeed = ippGetResolution(attribute, index, &feed, &units)
            return .resolution(
                Resolution(crossFeed: crossFeed, feed: feed, units: .init(rawValue: UInt8(units.rawValue))))
        case IPP_TAG_RANGE:
            var upper: Int32 = 0
            let lower = ippGetRange(attribute, index, &upper)
            return .range(IntegerRange(lower: lower, upper: upper))
        case IPP_TAG_BEGIN_COLLECTION:
            return .collection(Collection(groups(of: ippGetCollection(attribute, index)).flatMap(\.attributes)))
        case IPP_TAG_TEXTLANG, IPP_TAG_NAMELANG:
            let string = ippGetString(attribute, index, &language).map { String(cString: $0) } ?? ""
            let localized = LocalizedString(string, language: language.map { String(cString: $0) } ?? "")
            return tag == IPP_TAG_TEXTLANG ? .textWithLanguage(localized) : .nameWithLanguage(localized)
        default:
            if let reason = OutOfBand(rawValue: UInt8(tag.rawValue)) { return .outOfBand(reason) }
            return string(ippGetString(attribute, index, nil).map { String(cString: $0) } ?? "", tag)
        }
    }

    private static func string(_ string: String, _ tag: ipp_tag_t) -> Value {
        switch tag {
        case IPP_TAG_TEXT: .text(string)
        case IPP_TAG_NAME: .name(string)
        case IPP_TAG_KEYWORD: .keyword(string)
        case IPP_TAG_URI: .uri(string)
        case IPP_TAG_URISCHEME: .uriScheme(string)
        case IPP_TAG_CHARSET: .charset(string)
        case IPP_TAG_LANGUAGE: .naturalLanguage(string)
        case IPP_TAG_MIMETYPE: .mimeMediaType(string)
        default: .unknown(tag: UInt8(tag.rawValue), bytes: Array(string.utf8))
        }
    }

    private static func octets(at index: Int32, of attribute: OpaquePointer) -> [UInt8] {
        var count: Int32 = 0
        guard let start = ippGetOctetString(attribute, index, &count) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    private static func dateTime(_ field: UnsafePointer<ipp_uchar_t>?) -> DateTime {
        let it = Array(UnsafeBufferPointer(start: field, count: field == nil ? 0 : 11))
        return DateTime(
            year: UInt16(it[0]) << 8 | UInt16(it[1]), month: it[2], day: it[3], hour: it[4], minute: it[5],
            second: it[6], decisecond: it[7], direction: it[8], offsetHours: it[9], offsetMinutes: it[10])
    }
}
