// The IPP type for dates and times.

/// A date and time with an offset from UTC: the 11-byte form of `DateAndTime` (RFC 2579).
///
/// The fields keep the received numbers, even if the numbers are not a valid date. For example, some printers send
/// zeros for "never". ``unixTime`` is `nil` for an invalid date.
///
///     DateTime(unixTime: 0).description   // 1970-01-01T00:00:00.0+00:00
public struct DateTime: Hashable, Sendable {
    /// The year, 0 to 65,535.
    package var year: UInt16
    /// The month, 1 to 12.
    package var month: UInt8
    /// The day, 1 to 31.
    package var day: UInt8
    /// The hour, 0 to 23.
    package var hour: UInt8
    /// The minute, 0 to 59.
    package var minute: UInt8
    /// The second, 0 to 60.
    ///
    /// The value 60 is a leap second.
    package var second: UInt8
    /// The tenths of a second, 0 to 9.
    package var decisecond: UInt8
    /// The direction of the offset from UTC: ASCII `+` (east) or `-` (west).
    package var direction: UInt8
    /// The hours of the offset from UTC, 0 to 14.
    package var offsetHours: UInt8
    /// The minutes of the offset from UTC, 0 to 59.
    package var offsetMinutes: UInt8

    /// Creates a date and time from its fields, in UTC by default.
    ///
    /// The fields are not checked.
    package init(
        year: UInt16, month: UInt8, day: UInt8, hour: UInt8 = 0, minute: UInt8 = 0, second: UInt8 = 0,
        decisecond: UInt8 = 0, direction: UInt8 = UInt8(ascii: "+"), offsetHours: UInt8 = 0, offsetMinutes: UInt8 = 0
    ) {
        (self.year, self.month, self.day, self.hour) = (year, month, day, hour)
        (self.minute, self.second, self.decisecond) = (minute, second, decisecond)
        (self.direction, self.offsetHours, self.offsetMinutes) = (direction, offsetHours, offsetMinutes)
    }

    /// Creates a date and time in UTC from the seconds since 1970-01-01T00:00:00Z.
    ///
    /// A time before the year 0 or after the year 65,535 becomes the first or last second that the format can
    /// represent.
    package init(unixTime: Int) {
        let time = min(max(unixTime, Self.earliest), Self.latest)
        let days = time.flooredQuotient(dividingBy: 86_400)
        let secondOfDay = time - days * 86_400
        let (year, month, day) = Self.civil(fromDays: days)
        self.init(
            year: UInt16(year), month: UInt8(month), day: UInt8(day), hour: UInt8(secondOfDay / 3_600),
            minute: UInt8(secondOfDay / 60 % 60), second: UInt8(secondOfDay % 60))
    }

    /// The seconds since 1970-01-01T00:00:00Z, or `nil` if a field is out of range.
    ///
    /// The result omits tenths of a second. A leap second counts as the following second.
    package var unixTime: Int? {
        guard isValid else { return nil }
        let offset = Int(offsetHours) * 3_600 + Int(offsetMinutes) * 60
        let local =
            Self.days(year: Int(year), month: Int(month), day: Int(day)) * 86_400
            + Int(hour) * 3_600 + Int(minute) * 60 + Int(second)
        return direction == UInt8(ascii: "-") ? local + offset : local - offset
    }

    /// Whether every field is in range and the day exists in the month.
    ///
    /// Offsets of up to 14 hours are valid: RFC 2579 allows 13 hours, but Kiribati uses +14:00.
    package var isValid: Bool {
        1...12 ~= month && day >= 1 && day <= Self.length(ofMonth: month, year: year)
            && hour < 24 && minute < 60 && second <= 60 && decisecond < 10
            && (direction == UInt8(ascii: "+") || direction == UInt8(ascii: "-"))
            && offsetHours <= 14 && offsetMinutes < 60
    }
}

extension DateTime: CustomStringConvertible {
    /// The date and time in ISO 8601 form: `2024-02-29T13:05:00.0+01:00`.
    public var description: String {
        let sign = direction == UInt8(ascii: "-") ? "-" : "+"
        return "\(Self.padded(Int(year), 4))-\(Self.padded(month))-\(Self.padded(day))"
            + "T\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second)).\(decisecond)"
            + "\(sign)\(Self.padded(offsetHours)):\(Self.padded(offsetMinutes))"
    }

    private static func padded(_ number: UInt8) -> String { padded(Int(number), 2) }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

// Gregorian calendar arithmetic. Years start in March, so that the leap day is the last day of the year.
extension DateTime {
    private static let earliest = days(year: 0, month: 1, day: 1) * 86_400
    private static let latest = days(year: 65_536, month: 1, day: 1) * 86_400 - 1

    private static func length(ofMonth month: UInt8, year: UInt16) -> UInt8 {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(dividingBy: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(dividingBy: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int {
    fileprivate func flooredQuotient(dividingBy divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
