// Makes shadings (ISO 32000-1 §8.7.4).

extension CorpusDocument {
    /// Shadings of all seven types: painted, as patterns, and in forms.
    public static var shadings: CorpusDocument {
        var corpus = CorpusBuilder("shadings")
        let redToBlue = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>"
        let axial = "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [30 0 130 0] /Function \(redToBlue) >>"
        let extended =
            "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [50 40 110 80] /Extend [true true] /Function \(redToBlue) >>"
        func paint(_ name: String, _ shading: String) {
            corpus.page(
                name, resources: "/Shading << /S \(shading) >>", content: "20 20 130 90 re W n /S sh")
        }
        func fill(_ name: String, _ shading: String, matrix: String, _ content: String = "20 20 130 90 re f") {
            corpus.page(
                name,
                resources: "/Pattern << /P << /PatternType 2 /Shading \(shading) /Matrix [\(matrix)] >> >>",
                content: "/Pattern cs /P scn \(content)")
        }
        paint("an axial shading", axial)
        paint("an axial shading that is extended", extended)
        paint(
            "an axial shading of stitched functions",
            "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [20 0 150 0] /Function << /FunctionType 3 /Domain [0 1] "
                + "/Functions [\(redToBlue) << /FunctionType 2 /Domain [0 1] /C0 [0 1 0] /C1 [1 1 0] /N 1 >>] "
                + "/Bounds [0.5] /Encode [0 1 1 0] >> >>")
        paint(
            "an axial shading in gray with a background and a box",
            "<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [30 0 130 0] /BBox [40 30 120 100] /Function "
                + "<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [0.9] /N 1 >> >>")
        paint(
            "a radial shading",
            "<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [70 60 5 90 65 45] /Function \(redToBlue) >>")
        paint(
            "a radial shading that is extended to a cone",
            "<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [50 65 8 100 65 24] /Extend [true true] "
                + "/Function \(redToBlue) >>")
        fill("a page's pattern of an axial shading", axial, matrix: "1 0 0 1 0 0")
        fill("a scaled and turned pattern of an axial shading", axial, matrix: "0 0.6 -0.6 0 110 10")
        fill(
            "a pattern of an axial shading with a background",
            "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [60 0 100 0] /Background [0 0.8 0] /Function \(redToBlue) >>",
            matrix: "1 0 0 1 0 0")
        fill(
            "a pattern of a radial shading in a scaled state",
            "<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [85 65 5 85 65 60] /Function \(redToBlue) >>",
            matrix: "1 0 0 1 0 0", "0.5 0 0 0.5 20 20 cm 0 0 260 180 re f")
        corpus.addMeshes()
        corpus.addShadingsInForms(axial: axial)
        return corpus.document
    }
}

extension CorpusBuilder {
    /// Adds function-based shadings and meshes (types 1 and 4 to 7).
    fileprivate mutating func addMeshes() {
        let function = pdf.stream(
            "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]", "{ 2 copy mul 3 1 roll }")
        page(
            "a shading by a function",
            resources: "/Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Matrix [130 0 0 90 20 20] "
                + "/Function \(function) 0 R >> >>",
            content: "/S sh")
        // Coordinates have 16 bits for 0…160 in both directions; colors have 8 bits.
        func mesh(_ name: String, type: Int, entries: String, _ data: [UInt8]) {
            let shading = pdf.stream(
                "/ShadingType \(type) /ColorSpace /DeviceRGB /BitsPerCoordinate 16 /BitsPerComponent 8 "
                    + "/Decode [0 160 0 160 0 1 0 1 0 1] \(entries)", data)
            page(name, resources: "/Shading << /S \(shading) 0 R >>", content: "/S sh")
        }
        let (red, green, blue, yellow): (Color, Color, Color, Color) =
            ([255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0])
        mesh(
            "a mesh of triangles", type: 4, entries: "/BitsPerFlag 8",
            [0] + vertex(20, 20, red) + [0] + vertex(150, 20, green) + [0] + vertex(85, 110, blue))
        mesh(
            "a lattice of triangles", type: 5, entries: "/VerticesPerRow 3",
            vertex(20, 20, red) + vertex(85, 30, green) + vertex(150, 20, blue)
                + vertex(20, 110, yellow) + vertex(85, 100, red) + vertex(150, 110, green))
        let edge: [(Double, Double)] = [
            (20, 20), (10, 50), (30, 80), (20, 110), (60, 118), (110, 100), (150, 110), (140, 80), (155, 50), (150, 20),
            (110, 30), (60, 12),
        ]
        let colors = red + green + blue + yellow
        mesh("a Coons patch", type: 6, entries: "/BitsPerFlag 8", [0] + edge.flatMap { point($0.0, $0.1) } + colors)
        let inner: [(Double, Double)] = [(60, 50), (60, 80), (110, 80), (110, 50)]
        mesh(
            "a tensor patch", type: 7, entries: "/BitsPerFlag 8",
            [0] + (edge + inner).flatMap { point($0.0, $0.1) } + colors)
    }

    fileprivate mutating func addShadingsInForms(axial: String) {
        let painted = form("20 20 130 90 re W n /S sh", resources: "/Shading << /S \(axial) >>")
        page(
            "a shading painted in a form that is turned", resources: "/XObject << /F \(painted) 0 R >>",
            content: "0 0.7 -0.7 0 130 0 cm /F Do")
        let filled = form(
            "/Pattern cs /P scn 20 20 130 90 re f",
            resources: "/Pattern << /P << /PatternType 2 /Shading \(axial) /Matrix [1 0 0 1 0 0] >> >>",
            entries: "/Matrix [0.8 0 0 0.8 10 10]")
        page(
            "a pattern of a shading in a form that is scaled", resources: "/XObject << /F \(filled) 0 R >>",
            content: "1 0 0 1 15 0 cm /F Do")
    }

    private typealias Color = [UInt8]

    private func point(_ x: Double, _ y: Double) -> [UInt8] {
        [x, y].flatMap { value in
            let number = Int((value / 160 * 65_535).rounded())
            return [UInt8(number >> 8), UInt8(number & 255)]
        }
    }

    private func vertex(_ x: Double, _ y: Double, _ color: [UInt8]) -> [UInt8] { point(x, y) + color }
}
