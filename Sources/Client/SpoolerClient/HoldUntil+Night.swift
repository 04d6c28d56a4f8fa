// The time at which jobs with the hold `night` are released.

import Glibc
package import PrintModel

extension HoldUntil {
    /// Returns the next 18:00 of this machine's time zone, when the period `night` begins.
    package static func nextNight(after now: UnixTime) -> UnixTime {
        var (second, fields) = (time_t(now), tm())
        localtime_r(&second, &fields)
        (fields.tm_hour, fields.tm_min, fields.tm_sec, fields.tm_isdst) = (18, 0, 0, -1)
        let today = mktime(&fields)
        guard Double(today) <= now else { return Double(today) }
        fields.tm_mday += 1
        (fields.tm_hour, fields.tm_isdst) = (18, -1)
        return Double(mktime(&fields))
    }
}
