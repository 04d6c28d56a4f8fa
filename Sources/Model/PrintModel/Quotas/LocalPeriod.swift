// Calculates the periods of quotas, and the hours in which color is permitted, in local time.

import Glibc

extension Quota.Period {
    /// Returns the start of the period that contains a time, and the start of the next period; nil for a single job.
    ///
    /// Periods begin at midnight in the time zone of the process (`TZ`, tzset(3)). A day on which the clock is changed
    /// has 23 or 25 hours.
    package func bounds(at time: UnixTime) -> Range<UnixTime>? {
        var start = tm(localTime: time)
        (start.tm_hour, start.tm_min, start.tm_sec) = (0, 0, 0)
        var end = start
        switch self {
        case .job: return nil
        case .day: end.tm_mday += 1
        case .week:
            start.tm_mday -= (start.tm_wday + 6) % 7
            end.tm_mday = start.tm_mday + 7
        case .month:
            start.tm_mday = 1
            (end.tm_mday, end.tm_mon) = (1, start.tm_mon + 1)
        }
        let first = start.time
        return first..<max(first, end.time)
    }
}

/// The hours of each day in which jobs in color are accepted, in local time.
///
///     ColorHours("08:00-17:00")!.description      // "08:00-17:00"
///     ColorHours("22:00-06:00")                   // the hours of the night
public struct ColorHours: Hashable, Sendable, CustomStringConvertible {
    /// The first minute of the day, and the minute after the last one; the end can be on the next day.
    private let start, end: Int

    package static let always = ColorHours(start: 0, end: 1440)
    package static let never = ColorHours(start: 0, end: 0)

    private init(start: Int, end: Int) { (self.start, self.end) = (start, end) }

    /// Creates hours from `always`, `never` or a range such as `08:00-17:00`; nil for other text.
    package init?(_ text: String) {
        switch text {
        case "always": self = .always
        case "never": self = .never
        default:
            let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
            guard times.count == 2, let start = times[0], let end = times[1], start != end, start < 1440 else {
                return nil
            }
            self.init(start: start, end: end)
        }
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isASCII) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<60).contains(minute),
            (0..<24).contains(hour) || hour == 24 && minute == 0
        else { return nil }
        return hour * 60 + minute
    }

    /// The hours in the form of `init(_:)`.
    public var description: String {
        if self == .never { return "never" }
        if self == .always { return "always" }
        return "\(Self.text(of: start))-\(Self.text(of: end))"
    }

    private static func text(of minute: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(padded(minute / 60)):\(padded(minute % 60))"
    }

    package func contains(_ time: UnixTime) -> Bool {
        let local = tm(localTime: time)
        let minute = Int(local.tm_hour) * 60 + Int(local.tm_min)
        return start <= end ? start <= minute && minute < end : minute >= start || minute < end
    }
}

extension tm {
    fileprivate init(localTime time: UnixTime) {
        var seconds = time_t(min(max(time, 0), 1e11))
        self.init()
        localtime_r(&seconds, &self)
    }

    /// The time of these local fields, which may exceed their ranges.
    fileprivate var time: UnixTime {
        var fields = self
        fields.tm_isdst = -1
        return UnixTime(mktime(&fields))
    }
}

extension UnixTime {
    /// The date in the form `2030-01-31`, in the time zone of the process.
    var localDate: String {
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fields = tm(localTime: self)
        return "\(Int(fields.tm_year) + 1900)-\(padded(fields.tm_mon + 1))-\(padded(fields.tm_mday))"
    }
}
