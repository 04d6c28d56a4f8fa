import Foundation
import PrintModel
import Testing

/// Tests of the rules of quotas, without a spool.
struct QuotaTests {
    /// Returns a time in the time zone of the process.
    private func local(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> UnixTime {
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        (fields.tm_hour, fields.tm_min, fields.tm_isdst) = (Int32(hour), Int32(minute), -1)
        return UnixTime(mktime(&fields))
    }

    @Test func `a day begins at midnight, a week on Monday, and a month on its first day`() {
        let time = local(2028, 3, 1, 10, 30)  // a Wednesday after a leap day
        #expect(Quota.Period.day.bounds(at: time) == local(2028, 3, 1)..<local(2028, 3, 2))
        #expect(Quota.Period.week.bounds(at: time) == local(2028, 2, 28)..<local(2028, 3, 6))
        #expect(Quota.Period.month.bounds(at: time) == local(2028, 3, 1)..<local(2028, 4, 1))
        #expect(Quota.Period.job.bounds(at: time) == nil)
        let sunday = local(2026, 11, 29, 23, 59)
        #expect(Quota.Period.week.bounds(at: sunday) == local(2026, 11, 23)..<local(2026, 11, 30))
        #expect(Quota.Period.month.bounds(at: local(2026, 12, 31, 23)) == local(2026, 12, 1)..<local(2027, 1, 1))
        for period in [Quota.Period.day, .week, .month] {
            let start = local(2026, 6, 1)  // a Monday
            #expect(period.bounds(at: start)?.lowerBound == start)
            #expect(period.bounds(at: start - 1)?.upperBound == start)
        }
    }

    @Test func `hours of color have a start and an end, which can be on the next day`() throws {
        let day = try #require(ColorHours("08:00-17:00"))
        #expect(day.description == "08:00-17:00")
        #expect(!day.contains(local(2026, 6, 1, 7, 59)) && day.contains(local(2026, 6, 1, 8)))
        #expect(day.contains(local(2026, 6, 1, 16, 59)) && !day.contains(local(2026, 6, 1, 17)))
        let night = try #require(ColorHours("22:00-06:00"))
        #expect(night.contains(local(2026, 6, 1, 23)) && night.contains(local(2026, 6, 1, 5, 59)))
        #expect(!night.contains(local(2026, 6, 1, 6)))
        #expect(ColorHours("never")?.contains(local(2026, 6, 1)) == false)
        #expect(ColorHours("always")?.contains(local(2026, 6, 1, 23, 59)) == true)
        for text in ["", "8:00-17:00", "08:00", "08:00-08:00", "08:60-17:00", "25:00-26:00", "24:00-06:00", "a-b"] {
            #expect(ColorHours(text) == nil, "\(text)")
        }
        #expect(ColorHours("08:00-24:00")?.contains(local(2026, 6, 1, 23, 59)) == true)
    }

    @Test func `the quota of a user replaces the quotas of groups, and these replace the quota of everyone`() {
        let quotas = [
            Quota(.everyone, per: .month, pages: 100, sheets: 50), Quota(.group("a"), per: .month, pages: 200),
            Quota(.group("b"), per: .month, pages: 300), Quota(.user("anna"), per: .month, pages: 10),
            Quota(.guests, per: .month, pages: 5),
        ]
        func limits(_ user: String, _ groups: Set<String> = []) -> UserLimits {
            UserLimits(quotas, of: user, groups: groups)
        }
        #expect(limits("ben").limit(of: .pages, per: .month)?.most == 100)
        #expect(limits("ben", ["a", "b"]).limit(of: .pages, per: .month)?.most == 300)
        #expect(limits("ben", ["a"]).limit(of: .sheets, per: .month)?.most == 50)
        #expect(limits("anna", ["b"]).limit(of: .pages, per: .month)?.most == 10)
        #expect(limits("anna@192.0.2.7").limit(of: .pages, per: .month)?.most == 5)
        #expect(limits("ben").limit(of: .pages, per: .day) == nil)
        #expect(limits("ben").countedPeriods == [.month])
        #expect(UserLimits([quotas[3]], of: "ben", groups: []).isEmpty)
    }

    @Test func `a refusal names the quota`() {
        let now = local(2026, 6, 1, 12)
        let limits = UserLimits(
            [
                Quota(.group("students"), per: .job, pages: 20, copies: 5, color: ColorHours("17:00-18:00")),
                Quota(.everyone, per: .job, color: .always),
            ], of: "anna", groups: ["students"])
        #expect(
            limits.refusal(ofJob: 6, amounts: nil, isColor: false, at: now)
                == "the quota of the group 'students' is 5 copies per job, and this job has 6; request fewer copies, or "
                + "ask an administrator")
        #expect(
            limits.refusal(ofJob: 5, amounts: nil, isColor: true, at: now)
                == "the quota of the group 'students' permits color only from 17:00-18:00; print in monochrome ('-o "
                + "print-color-mode=monochrome'), or later")
        #expect(
            limits.refusal(ofJob: 1, amounts: QuotaAmounts(pages: 21, sheets: 11), isColor: false, at: now)
                == "the quota of the group 'students' is 20 pages per job, and this job has 21; print fewer pages, or ask "
                + "an administrator")
        #expect(limits.refusal(ofJob: 5, amounts: QuotaAmounts(pages: 20), isColor: true, at: now + 5 * 3600) == nil)
    }

    @Test func `a standing refuses the first page beyond the limit, and says when the next period begins`() {
        let quota = Quota(.everyone, per: .day, pages: 10)
        var standing = QuotaStanding(
            quota: quota, unit: .pages, limit: 10, used: 6, added: 0, reserved: 2, endsAt: local(2026, 12, 1))
        #expect(standing.remaining == 2)
        #expect(standing.refusal(of: "anna", amount: 2) == nil && standing.refusal(of: "anna", amount: nil) == nil)
        #expect(
            standing.refusal(of: "anna", amount: 3)
                == "the quota of all users is 10 pages per day: anna has printed 6, unfinished jobs print 2, and this job "
                + "has 3; the next day begins on 2026-12-01, or an administrator adds pages")
        standing.added = 1
        #expect(standing.refusal(of: "anna", amount: 3) == nil)
        (standing.used, standing.reserved) = (20, 0)
        #expect(standing.remaining == 0)
        #expect(
            standing.refusal(of: "anna", amount: nil)?.contains("10 pages per day and 1 more: anna has printed 20")
                == true)
    }

    @Test func `a quota needs a limit, and only a quota per job limits copies and color`() {
        #expect(Quota(.everyone, per: .day, pages: 0).isValid)
        #expect(!Quota(.everyone, per: .day).isValid)
        #expect(!Quota(.everyone, per: .day, pages: 10, copies: 2).isValid)
        #expect(!Quota(.everyone, per: .day, color: .never).isValid)
        #expect(Quota(.everyone, per: .job, color: .never).isValid)
        #expect(!Quota(.everyone, per: .job, sheets: -1).isValid && !Quota(.user(""), per: .day, pages: 1).isValid)
    }
}
