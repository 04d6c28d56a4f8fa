// Tries several methods to draw a page.

import PrintModel

/// A sequence of attempts to draw a page: with the first renderer, with the second renderer, and as a notice page.
struct PageAttempts {
    /// The name of the page in messages, such as `page 3`.
    let page: String
    /// The fallback for a page at which the first renderer is known to fail; nil if no failure is known.
    let fallback: RenderingFallback?
    /// Whether a page that cannot be drawn causes an error instead of a notice page.
    let requiresFidelity: Bool
    /// Whether a second renderer can draw the page.
    var hasSecondRenderer = true

    /// A page that the first renderer drew, and the known defect of the page; nil if no defect is known.
    typealias Drawn<T> = (made: T, defect: PageDefect?)

    /// Draws the page with the first renderer, with the second renderer, or as a notice page.
    ///
    /// Only an `unreadable` error leads to another attempt. A page with a defect of the renderer is drawn again with the
    /// second renderer. If the second renderer fails, the defective page is used.
    ///
    /// - Parameters:
    ///   - usual: A function that draws the page with the first renderer.
    ///   - second: A function that draws the page with the second renderer.
    ///   - notice: A function that draws the notice page.
    /// - Returns: The drawn page, and a sentence for users; nil if the first renderer drew the whole page.
    /// - Throws: The error of the last attempt.
    func make<T>(
        usual: () throws(RasterError) -> Drawn<T>, second: () throws(RasterError) -> T,
        notice: (RenderingFallback) throws(RasterError) -> T
    ) throws(RasterError) -> (made: T, notice: String?) {
        var reason = fallback?.reason ?? "the page cannot be read"
        if fallback == nil {
            do {
                let (made, defect) = try usual()
                switch defect {
                case .ofRenderer(let reason) where hasSecondRenderer:
                    do {
                        return (try second(), self.notice(of: .otherRenderer, because: reason))
                    } catch {
                        return (try usual().made, Self.incomplete(page, because: reason))
                    }
                case .ofRenderer(let reason), .ofDocument(let reason):
                    return (made, Self.incomplete(page, because: reason))
                case nil: return (made, nil)
                }
            } catch  where error.code == .unreadable {
                reason = "the first renderer failed\(error.parenthesis)"
            }
        }
        if hasSecondRenderer, fallback?.way != .notice {
            do {
                return (try second(), self.notice(of: .otherRenderer, because: reason))
            } catch  where error.code == .unreadable {
                reason = "both renderers failed\(error.parenthesis); the document may be damaged"
            }
        }
        guard !requiresFidelity else {
            throw RasterError(code: .unreadable, message: "\(page) cannot be drawn because \(reason)", cause: nil)
        }
        let way = RenderingFallback(.notice, because: reason)
        return (try notice(way), way.notice(of: page))
    }

    private func notice(of way: RenderingFallback.Way, because reason: String) -> String {
        RenderingFallback(way, because: reason).notice(of: page)
    }

    /// Returns a sentence for users about a page that may lack content.
    static func incomplete(_ page: String, because reason: String) -> String {
        "\(page) may be incomplete because \(reason)"
    }
}

extension RasterError {
    /// The cause of the error in parentheses after a space; empty if no cause is known.
    fileprivate var parenthesis: String { cause.map { " (\($0))" } ?? "" }
}
