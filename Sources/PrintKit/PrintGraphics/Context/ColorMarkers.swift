// The RGB colors that stand for CMYK and ICC colors until a PDF is complete.

import Synchronization

/// The marker colors of CMYK colors and of colors of ICC profiles.
///
/// Cairo draws RGB colors only. A PDF context draws another color as a marker, an RGB color that no other color has,
/// and libqpdf then writes the color in place of the marker. A marker is within 1/255 of the RGB color of its color, or
/// nearly so if several colors have the same RGB color.
///
/// The components of markers are between the values of 8-bit colors, and RGB colors with such components are moved by
/// less than 1/65535.
final class ColorMarkers: Sendable {
    static let shared = ColorMarkers()

    struct Marker: Hashable {
        /// The components, from 0 to 65535.
        var red, green, blue: UInt16

        /// - Parameter steps: The 8-bit components, from 0 to 254.
        init(_ steps: [Int]) {
            let parts = steps.map { UInt16($0 * 257 + 129) }
            (red, green, blue) = (parts[0], parts[1], parts[2])
        }

        init(red: UInt16, green: UInt16, blue: UInt16) { (self.red, self.green, self.blue) = (red, green, blue) }
    }

    private struct State {
        var markers: [Color.Components: Marker] = [:]
        var colors: [Marker: Color.Components] = [:]
        var profiles: [ICCProfile: Int] = [:]
    }

    private let state = Mutex(State())
    /// Further colors are drawn as RGB, so that memory use and the search for a marker are limited.
    private static let most = 1_000_000

    /// Returns the marker of a color; `nil` for a color that is neither CMYK nor in a profile.
    func marker(of color: Color) -> Marker? {
        guard color.isMarked else { return nil }
        return state.withLock { state in
            if let known = state.markers[color.components] { return known }
            guard state.markers.count < Self.most else { return nil }
            let wanted = [color.red, color.green, color.blue].map { min(254, Int($0 * 255)) }
            // Searches the nearest free marker.
            for distance in 0...32 {
                for shift in Self.shifts(distance) {
                    let steps = zip(wanted, shift).map { $0 + $1 }
                    guard steps.allSatisfy((0...254).contains) else { continue }
                    let marker = Marker(steps)
                    guard state.colors[marker] == nil else { continue }
                    (state.markers[color.components], state.colors[marker]) = (marker, color.components)
                    return marker
                }
            }
            return nil
        }
    }

    /// Returns the color for which a marker stands, or `nil`.
    func components(of marker: Marker) -> Color.Components? { state.withLock { $0.colors[marker] } }

    /// Returns a number for the profile that is the same in all documents.
    func number(of profile: ICCProfile) -> Int {
        state.withLock { state in
            let number = state.profiles[profile] ?? state.profiles.count
            state.profiles[profile] = number
            return number
        }
    }

    /// Returns the shifts of three components of which the largest is `distance`.
    private static func shifts(_ distance: Int) -> [[Int]] {
        let range = -distance...distance
        return range.flatMap { red in range.flatMap { green in range.map { [red, green, $0] } } }
            .filter { $0.map { abs($0) }.max() == distance }
    }

    /// Returns a component of an RGB color that is not the component of a marker.
    static func plain(_ component: Double) -> Double {
        let part = component * 65535
        let isMarker = abs(part - part.rounded()) < 0.2 && Int(part.rounded()) % 257 == 129
        return isMarker ? component + 0.5 / 65535 : component
    }
}
