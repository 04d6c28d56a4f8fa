// Parses the values of `job-hold-until`.

import Glibc

extension HoldUntil {
    /// Parses the value of `job-hold-until`.
    ///
    /// The value is `no-hold`, `indefinite`, a period such as `night` in local time, a time of day in UTC such as
    /// `18:30` (its next occurrence after `now`), or `@SECONDS` since 1970.
    ///
    /// - Throws: `OptionError` for other text.
    public init(text: String, now: UnixTime) throws(OptionError) {
        switch text.lowercased() {
        case "no-hold": self = .noHold
        case "indefinite", "": self = .indefinite
        default:
            if let period = Period(rawValue: text.lowercased()), Self.moments.contains(now) {
                let wait = period.secondsToWait(at: WeekTime(now))
                self = wait == 0 ? .noHold : .time(now.rounded(.down) + Double(wait))
            } else if text.hasPrefix("@"), let seconds = Double(text.dropFirst()), Self.moments.contains(seconds) {
                self = .time(seconds)
            } else if let second = Self.secondOfDay(text), now.isFinite, Self.moments.contains(now) {
                let midnight = (now / 86400).rounded(.down) * 86400
                let moment = midnight + Double(second)
                self = .time(moment > now ? moment : moment + 86400)
            } else {
                throw .wrong(
                    "job-hold-until", text,
                    allowed: "no-hold, indefinite, night or another period, or a time of day such as 18:30",
                    names: ["no-hold", "indefinite"] + Period.allCases.map(\.rawValue))
            }
        }
    }

    /// The value as text that `init(text:now:)` can parse.
    public var text: String {
        switch self {
        case .noHold: "no-hold"
        case .indefinite: "indefinite"
        case .time(let moment): "@\(Int(min(max(moment.isNaN ? 0 : moment, 0), Self.moments.upperBound).rounded(.up)))"
        }
    }

    /// The range of valid times, in seconds since 1970.
    private static let moments = 0...1e15

    private static func secondOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count <= 2 ? Int($0) : nil }
        guard (2...3).contains(parts.count), numbers.count == parts.count, (0..<24).contains(numbers[0]),
            numbers[1...].allSatisfy({ (0..<60).contains($0) })
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }
}

extension HoldUntil {
    /// A period of the day or the week in which jobs are printed (RFC 8011 §5.2.2), with the hours of CUPS.
    package enum Period: String, CaseIterable, Sendable {
        /// From 6:00 to 18:00.
        case dayTime = "day-time"
        /// From 18:00 to 6:00, like `night`.
        case evening, night
        /// From 16:00 to midnight.
        case secondShift = "second-shift"
        /// From midnight to 8:00.
        case thirdShift = "third-shift"
        /// From Friday at 18:00 to the end of Sunday.
        case weekend

        /// Returns the seconds until the period begins; 0 during the period.
        package func secondsToWait(at time: WeekTime) -> Int {
            let hour = time.secondOfDay / 3600
            let (isDuring, start): (Bool, Int) =
                switch self {
                // As in CUPS, jobs that are submitted between midnight and 6:00 do not wait for the morning.
                case .dayTime: (hour < 18, 30)
                case .evening, .night: (hour < 6 || hour >= 18, 18)
                case .secondShift: (hour >= 16, 16)
                case .thirdShift: (hour < 8, 24)
                case .weekend:
                    (
                        time.weekday == 0 || time.weekday == 6 || time.weekday == 5 && hour >= 18,
                        (5 - time.weekday) * 24 + 18
                    )
                }
            return isDuring ? 0 : start * 3600 - time.secondOfDay
        }
    }

    /// A time of the week.
    package struct WeekTime: Hashable, Sendable {
        /// The day of the week, from 0 (Sunday) to 6.
        package var weekday: Int
        package var secondOfDay: Int

        package init(weekday: Int, secondOfDay: Int) { (self.weekday, self.secondOfDay) = (weekday, secondOfDay) }

        /// Converts a time to the time zone of the process (`TZ`, tzset(3)).
        init(_ moment: UnixTime) {
            var time = time_t(min(max(moment, 0), 1e11))
            var fields = tm()
            localtime_r(&time, &fields)
            weekday = Int(fields.tm_wday)
            secondOfDay = Int(fields.tm_hour) * 3600 + Int(fields.tm_min) * 60 + Int(fields.tm_sec)
        }
    }
}
