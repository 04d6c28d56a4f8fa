// Calculates the parts of a poster that its sheets show.

extension Poster {
    /// Returns the width, in points, of the strip of content that two neighboring sheets share.
    ///
    /// - Parameter area: The size of the printable area of a sheet, in points.
    package func overlap(onSheets area: Size) -> Double {
        min(overlap.points, area.width / 2, area.height / 2)
    }

    /// Returns the size of the whole poster, in points.
    ///
    /// - Parameter area: The size of the printable area of a sheet, in points.
    package func size(onSheets area: Size) -> Size {
        let overlap = overlap(onSheets: area)
        return Size(
            width: Double(columns) * area.width - Double(columns - 1) * overlap,
            height: Double(rows) * area.height - Double(rows - 1) * overlap)
    }

    /// Returns the row (from the top) and the column (from the left) of a sheet, both counted from 0.
    package func position(ofTile tile: Int) -> (row: Int, column: Int) { (tile / columns, tile % columns) }

    /// Returns the part of the poster that a sheet shows.
    ///
    /// The result is in points, with y upwards and the origin at the poster's lower left corner.
    package func window(ofTile tile: Int, onSheets area: Size) -> Rect {
        let (row, column) = position(ofTile: tile)
        let overlap = overlap(onSheets: area)
        return Rect(
            x: Double(column) * (area.width - overlap), y: Double(rows - 1 - row) * (area.height - overlap),
            width: area.width, height: area.height)
    }

    /// Returns the part of a sheet's printable area that remains after the user cuts off the overlap.
    ///
    /// The result is in points, with y upwards and the origin at the area's lower left corner.
    ///
    /// Neighboring sheets are cut in the middle of their overlap, so that the remaining parts adjoin.
    package func trim(ofTile tile: Int, onSheets area: Size) -> Rect {
        let (row, column) = position(ofTile: tile)
        let cut = overlap(onSheets: area) / 2
        let left = column > 0 ? cut : 0
        let right = column < columns - 1 ? cut : 0
        let bottom = row < rows - 1 ? cut : 0
        let top = row > 0 ? cut : 0
        return Rect(x: left, y: bottom, width: area.width - left - right, height: area.height - top - bottom)
    }
}
