// Formats and parses local times.

import Glibc
package import PrintModel

/// A date and time in the local time zone.
package struct LocalTime: Hashable, Sendable {
    /// The year, month (1 to 12) and day (1 to 31).
    package var year, month, day: Int
    /// The hour (0 to 23), minute and second.
    package var hour, minute, second: Int

    /// Converts a time to the time zone of the process (`TZ`, tzset(3)).
    package init(_ moment: UnixTime) {
        var time = time_t(min(max(moment, -1e11), 1e11))
        var fields = tm()
        localtime_r(&time, &fields)
        year = Int(fields.tm_year) + 1900
        month = Int(fields.tm_mon) + 1
        day = Int(fields.tm_mday)
        hour = Int(fields.tm_hour)
        minute = Int(fields.tm_min)
        second = Int(fields.tm_sec)
    }

    /// Returns the time as text: `18:30` for today, and `2024-02-29 18:30` for other days.
    package static func short(_ moment: UnixTime, now: UnixTime) -> String {
        let (then, today) = (LocalTime(moment), LocalTime(now))
        let isToday = (then.year, then.month, then.day) == (today.year, today.month, today.day)
        return isToday ? then.clock : "\(then.date) \(then.clock)"
    }

    /// Returns the time as text: `2 min ago` for the last 24 hours, and `in 5 min` for the next 24 hours.
    ///
    /// For a difference of less than 10 seconds, the result is `just now`. For a difference of a day or more, the
    /// result is `2024-02-29 18:30`.
    package static func relative(_ moment: UnixTime, now: UnixTime) -> String {
        let seconds = Int(max(-1e9, min(1e9, now - moment)))
        let distance = abs(seconds)
        let amount: String
        switch distance {
        case ..<10: return "just now"
        case ..<60: amount = "\(distance) s"
        case ..<3600: amount = "\(distance / 60) min"
        case ..<86400: amount = "\(distance / 3600) h"
        default:
            let then = LocalTime(moment)
            return "\(then.date) \(then.clock)"
        }
        return seconds < 0 ? "in \(amount)" : "\(amount) ago"
    }

    /// Returns the time as text: `18:30:05` for today, and `2024-02-29 18:30:05` for other days.
    package static func precise(_ moment: UnixTime, now: UnixTime) -> String {
        let (then, today) = (LocalTime(moment), LocalTime(now))
        let isToday = (then.year, then.month, then.day) == (today.year, today.month, today.day)
        return isToday ? "\(then.clock):\(padded(then.second))" : long(moment)
    }

    /// Returns the date and time in the form `2024-02-29 18:30:05`.
    package static func long(_ moment: UnixTime) -> String {
        let then = LocalTime(moment)
        return "\(then.date) \(then.clock):\(padded(then.second))"
    }

    /// Returns the time in UTC: `2024-02-29T17:30:05Z` (ISO 8601).
    package static func universal(_ moment: UnixTime) -> String {
        var time = time_t(min(max(moment, -1e11), 1e11))
        var fields = tm()
        gmtime_r(&time, &fields)
        let date =
            "\(padded(Int(fields.tm_year) + 1900, 4))-\(padded(Int(fields.tm_mon) + 1))-\(padded(Int(fields.tm_mday)))"
        return "\(date)T\(padded(Int(fields.tm_hour))):\(padded(Int(fields.tm_min))):\(padded(Int(fields.tm_sec)))Z"
    }

    /// Parses a local date (`2024-02-29`), or a date and time (`2024-02-29T18:30`).
    ///
    /// Returns nil if the text has neither form.
    ///
    /// - Parameter endsDay: Whether a date without a time means the end of the day. If false, the date means the start
    ///   of the day.
    package static func moment(_ text: String, endsDay: Bool = false) -> UnixTime? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count <= 2, date.count == 3, (1970...9999).contains(date[0]), (1...12).contains(date[1]),
            (1...31).contains(date[2])
        else { return nil }
        let clock = parts.count == 1 ? [0, 0] : parts[1].split(separator: ":").compactMap { Int($0) }
        guard (2...3).contains(clock.count), (0..<24).contains(clock[0]), clock.dropFirst().allSatisfy({ 0..<60 ~= $0 })
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon) = (Int32(date[0] - 1900), Int32(date[1] - 1))
        fields.tm_mday = Int32(date[2] + (endsDay && parts.count == 1 ? 1 : 0))
        (fields.tm_hour, fields.tm_min) = (Int32(clock[0]), Int32(clock[1]))
        fields.tm_sec = Int32(clock.count == 3 ? clock[2] : 0)
        fields.tm_isdst = -1
        return isDay(date) ? UnixTime(mktime(&fields)) : nil
    }

    /// Returns whether the date exists.
    ///
    /// Without this check, mktime(3) would convert February 31 to a day in March.
    private static func isDay(_ date: [Int]) -> Bool {
        var noon = tm()
        (noon.tm_year, noon.tm_mon, noon.tm_mday) = (Int32(date[0] - 1900), Int32(date[1] - 1), Int32(date[2]))
        (noon.tm_hour, noon.tm_isdst) = (12, -1)
        _ = mktime(&noon)
        return noon.tm_mday == Int32(date[2])
    }

    private var clock: String { "\(Self.padded(hour)):\(Self.padded(minute))" }
    private var date: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension HoldUntil {
    /// Parses the hold time of a job: `indefinite`, `no-hold`, a local time, or `@SECONDS` since 1970.
    ///
    /// A local time is a time of day or a date and time (`2024-02-29T18:30`). A time of day such as `18:30` means the
    /// next time when the clock shows 18:30.
    ///
    /// - Parameter option: The option as the user typed it, for error messages.
    /// - Throws: `SpoolerClientError` with `usage` if the text is invalid or the time is in the past.
    package init(localText text: String, now: UnixTime, option: String = "the hold time") throws(SpoolerClientError) {
        let problem = "invalid value '\(text.printable)' for \(option)"
        if let moment = try Self.localMoment(text, now: now, problem: problem) {
            guard moment > now else { throw SpoolerClientError(.usage, "\(problem); the time is in the past") }
            self = .time(moment)
            return
        }
        guard !text.contains(":"), let hold = try? HoldUntil(text: text, now: now) else {
            throw SpoolerClientError(
                .usage,
                "\(problem); expected indefinite, a time such as 18:30, or a date and time such as 2030-01-31T18:30")
        }
        self = hold
    }

    /// Parses a local time of day, or a local date and time.
    ///
    /// Returns nil if the text has neither form.
    private static func localMoment(
        _ text: String, now: UnixTime, problem: String
    ) throws(SpoolerClientError) -> UnixTime? {
        let parts = text.split(whereSeparator: { $0 == "T" || $0 == " " })
        guard let last = parts.last, let clock = numbers(last, ":"), (2...3).contains(clock.count),
            clock[0] < 24, clock.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        var fields = tm()
        var today = time_t(now)
        localtime_r(&today, &fields)
        (fields.tm_hour, fields.tm_min) = (Int32(clock[0]), Int32(clock[1]))
        fields.tm_sec = clock.count == 3 ? Int32(clock[2]) : 0
        fields.tm_isdst = -1
        if parts.count == 2 {
            guard let date = numbers(parts[0], "-"), date.count == 3, (1970...9999).contains(date[0]),
                (1...12).contains(date[1]), (1...31).contains(date[2])
            else { return nil }
            (fields.tm_year, fields.tm_mon, fields.tm_mday) =
                (Int32(date[0] - 1900), Int32(date[1] - 1), Int32(date[2]))
            var asked = fields
            let moment = mktime(&asked)
            guard asked.tm_mday == fields.tm_mday else {
                throw SpoolerClientError(.usage, "\(problem): the month has no such day")
            }
            return UnixTime(moment)
        }
        guard parts.count == 1 else { return nil }
        var asked = fields
        if UnixTime(mktime(&asked)) <= now {
            asked = fields
            asked.tm_mday += 1
        }
        asked.tm_isdst = -1
        return UnixTime(mktime(&asked))
    }

    private static func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.count <= 4 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
