// Defines layouts for the pages of the corpus, and the expected positions of the pages.

import PrintModel
import PrintTestSupport
import Testing

/// A layout for pages of 160 × 120 points on sheets.
struct CorpusLayout: Sendable, CustomTestStringConvertible {
    /// The expected place of a page: the side, counted from 0, the upper left corner in points, and the number of
    /// counterclockwise quarter turns.
    struct Place {
        var side: Int
        var x = 0.0
        var y = 0.0
        var turns = 0
    }

    let name: String
    /// The size of the paper, in points.
    let paper: (width: Double, height: Double)
    /// The scale of the pages.
    var scale = 1.0
    var margins = (top: 0.0, left: 0.0, bottom: 0.0, right: 0.0)
    /// A closure that changes more options of the imposition.
    var change: @Sendable (inout Imposition) -> Void = { _ in }
    /// A closure that returns the expected place of a page.
    let place: @Sendable (Int) -> Place

    var testDescription: String { name }

    /// The imposition for the layout.
    var imposition: Imposition {
        let media = Media.custom(width: .points(paper.width), height: .points(paper.height))
        let edges = Margins(
            top: .points(margins.top), left: .points(margins.left), bottom: .points(margins.bottom),
            right: .points(margins.right))
        var imposition = Imposition(paper: PrintPaper(media: media, margins: edges), scaling: .none)
        change(&imposition)
        return imposition
    }

    /// Returns the expected sides, made from images of the original pages.
    func sides(of originals: [Thumbnail]) -> [Thumbnail] {
        let blank = Thumbnail(points: paper.width / scale, paper.height / scale)
        let count = (originals.indices.map { place($0).side }.max() ?? -1) + 1
        var sides = [Thumbnail](repeating: blank, count: count)
        for (index, page) in originals.enumerated() {
            let place = place(index)
            sides[place.side].place(page.turned(place.turns), x: place.x / scale, y: place.y / scale)
        }
        return sides
    }
}

extension CorpusLayout {
    /// The layout without changes: the sheet has the size of the page.
    static let alone = CorpusLayout(name: "alone", paper: (160, 120)) { Place(side: $0) }

    /// Layouts in which pages are moved, scaled, turned, or share a side.
    static let all: [CorpusLayout] = [
        alone,
        CorpusLayout(name: "moved", paper: (200, 180)) { Place(side: $0, x: 20, y: 30) },
        CorpusLayout(
            name: "enlarged", paper: (400, 320), scale: 2, margins: (40, 40, 40, 40), change: { $0.scaling = .fit }
        ) { Place(side: $0, x: 40, y: 40) },
        CorpusLayout(
            name: "reduced between uneven margins", paper: (160, 120), scale: 0.5, margins: (10, 20, 50, 60),
            change: { $0.scaling = .fit }
        ) { Place(side: $0, x: 20, y: 10) },
        CorpusLayout(name: "turned", paper: (120, 160), change: { $0.orientation = .landscape }) {
            Place(side: $0, turns: 1)
        },
        CorpusLayout(name: "turned the other way", paper: (120, 160), change: { $0.orientation = .reverseLandscape }) {
            Place(side: $0, turns: 3)
        },
        CorpusLayout(name: "upside down", paper: (160, 120), change: { $0.orientation = .reverseLandscape }) {
            Place(side: $0, turns: 2)
        },
        CorpusLayout(name: "two on a side", paper: (320, 120), change: { $0.set(2) }) {
            Place(side: $0 / 2, x: $0 % 2 == 0 ? 0 : 160)
        },
        CorpusLayout(
            name: "two on a side that is turned, two-sided", paper: (120, 320),
            change: {
                $0.set(2)
                $0.duplex = .longEdge
            }
        ) { Place(side: $0 / 2, y: $0 % 2 == 0 ? 160 : 0, turns: 1) },
        CorpusLayout(name: "four on a side", paper: (320, 240), change: { $0.set(4) }) {
            Place(side: $0 / 4, x: $0 % 2 == 0 ? 0 : 160, y: $0 % 4 < 2 ? 0 : 120)
        },
    ]
}

extension Imposition {
    /// Puts several pages on each side.
    fileprivate mutating func set(_ numberUp: Int) {
        self.numberUp = NumberUp(count: numberUp)
        scaling = .fit
    }
}
