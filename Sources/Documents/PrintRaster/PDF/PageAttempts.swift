// The ways to make a page, tried one after the other.

import PrintModel

/// Makes a page with the usual renderer, else with the second one, else as a notice.
struct PageAttempts {
    /// What people call the page: `page 3`.
    let page: String
    /// How the page is to be made, when it is known that the usual way fails.
    let detour: RenderingFallback?
    /// Whether a page that cannot be drawn is an error.
    let requiresFidelity: Bool
    /// Whether there is a second renderer for the page.
    var hasSecondRenderer = true

    /// A page as the usual renderer draws it, and what is wrong with it, as it follows "because".
    typealias Drawn<T> = (made: T, shortcoming: String?)

    /// Makes the page.
    ///
    /// Only `unreadable` leads to another attempt. A page with a shortcoming is drawn with the second renderer; if that fails,
    /// the page stays as it is.
    ///
    /// - Parameters:
    ///   - usual: draws it with the usual renderer.
    ///   - second: draws it with the second renderer.
    ///   - notice: makes the page that takes its place.
    /// - Returns: what was made, and the detour that was taken.
    /// - Throws: what the last attempt threw.
    func make<T>(
        usual: () throws(RasterError) -> Drawn<T>, second: () throws(RasterError) -> T,
        notice: (RenderingFallback) throws(RasterError) -> T
    ) throws(RasterError) -> (made: T, detour: RenderingFallback?) {
        var reason = detour?.reason ?? "it cannot be read"
        if detour == nil {
            do {
                let (made, shortcoming) = try usual()
                guard hasSecondRenderer, let shortcoming else { return (made, nil) }
                let way = RenderingFallback(.otherRenderer, because: shortcoming)
                do { return (try second(), way) } catch { return (try usual().made, nil) }
            } catch  where error.code == .unreadable {
                reason = "the usual renderer failed\(error.parenthesis)"
            }
        }
        if hasSecondRenderer, detour?.way != .notice {
            do {
                return (try second(), RenderingFallback(.otherRenderer, because: reason))
            } catch  where error.code == .unreadable {
                reason = "both renderers failed\(error.parenthesis); the document may be damaged"
            }
        }
        guard !requiresFidelity else {
            throw RasterError(code: .unreadable, message: "\(page) cannot be drawn because \(reason)", cause: nil)
        }
        let way = RenderingFallback(.notice, because: reason)
        return (try notice(way), way)
    }
}

extension RasterError {
    /// What a library said, in parentheses after a space.
    fileprivate var parenthesis: String { cause.map { " (\($0))" } ?? "" }
}
