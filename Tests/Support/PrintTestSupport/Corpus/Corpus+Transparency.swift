// Makes groups, soft masks and blend modes (ISO 32000-1 §11).

extension CorpusDocument {
    /// Transparency: groups, soft masks, blend modes, and images with masks.
    public static var transparency: CorpusDocument {
        var corpus = CorpusBuilder("transparency")
        corpus.addBlendModes()
        corpus.addGroups()
        corpus.addSoftMasks()
        corpus.addImages()
        return corpus.document
    }
}

private let pageGroup = "/Group << /S /Transparency /CS /DeviceRGB /I true >>"
private let stripes = "1 0 0 rg 20 20 44 90 re f 0 0.7 0 rg 64 20 43 90 re f 0 0 1 rg 107 20 43 90 re f"
private let orange = "0.9 0.6 0.2 rg 10 45 145 40 re f"

extension CorpusBuilder {
    fileprivate mutating func addBlendModes() {
        let modes = [
            "Normal", "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn", "HardLight",
            "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity",
        ]
        for mode in modes {
            page(
                "blend mode \(mode) on the page", resources: "/ExtGState << /B << /BM /\(mode) >> >>",
                content: "\(stripes) /B gs \(orange)")
        }
        for mode in ["Multiply", "Screen", "Difference", "Exclusion"] {
            page(
                "blend mode \(mode) on a page that is an isolated group", entries: pageGroup,
                resources: "/ExtGState << /B << /BM /\(mode) >> >>", content: "\(stripes) /B gs \(orange)")
        }
    }

    fileprivate mutating func addGroups() {
        let squares = "/H gs 1 0 0 rg 25 25 70 50 re f 0 0 1 rg 70 50 70 55 re f"
        let half = "/ExtGState << /H << /ca 0.5 >> >>"
        let difference = "/ExtGState << /H << /BM /Difference >> >>"
        let kinds = [
            ("a group", ""), ("an isolated group", "/I true"), ("a knockout group", "/K true"),
            ("an isolated knockout group", "/I true /K true"),
        ]
        for (name, entries) in kinds {
            let transparent = form(squares, resources: half, entries: "/Group << /S /Transparency \(entries) >>")
            page(
                "\(name) of transparent squares", resources: "/XObject << /F \(transparent) 0 R >>",
                content: "0.8 1 0.6 rg 20 20 130 45 re f /F Do")
            let blended = form(squares, resources: difference, entries: "/Group << /S /Transparency \(entries) >>")
            page(
                "\(name) of squares that blend", resources: "/XObject << /F \(blended) 0 R >>",
                content: "0.8 1 0.6 rg 20 20 130 45 re f /F Do")
        }
        let whole = form(
            "1 0 0 rg 25 25 70 50 re f 0 0 1 rg 70 50 70 55 re f", entries: "/Group << /S /Transparency >>")
        page(
            "a group that is transparent as a whole", resources: "/XObject << /F \(whole) 0 R >> \(half)",
            content: "0.8 1 0.6 rg 20 20 130 45 re f /H gs /F Do")
        page(
            "a group that multiplies as a whole",
            resources: "/XObject << /F \(whole) 0 R >> /ExtGState << /M << /BM /Multiply >> >>",
            content: "0.8 1 0.6 rg 20 20 130 45 re f /M gs /F Do")
    }

    fileprivate mutating func addSoftMasks() {
        let ramp =
            "<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [20 0 150 0] /Extend [true true] /Function "
            + "<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >>"
        let group = "/Group << /S /Transparency /CS /DeviceGray /I true >>"
        let luminosity = form("/S sh", resources: "/Shading << /S \(ramp) >>", entries: group)
        let window = form("1 g 50 40 60 50 re f", entries: group)
        let alpha = form(
            "/H gs 20 20 65 90 re f", resources: "/ExtGState << /H << /ca 0.5 >> >>",
            entries: "/Group << /S /Transparency /CS /DeviceRGB /I true >>")
        func masked(_ name: String, _ mask: String, entries: String = "", _ content: String = stripes) {
            page(
                name, entries: entries, resources: "/ExtGState << /M << /SMask << /Type /Mask \(mask) >> >> >>",
                content: "/M gs \(content)")
        }
        masked("a soft mask of luminosity", "/S /Luminosity /G \(luminosity) 0 R")
        masked(
            "a soft mask of luminosity on a page that is a group", "/S /Luminosity /G \(luminosity) 0 R",
            entries: pageGroup)
        masked("a soft mask of luminosity with a backdrop", "/S /Luminosity /G \(window) 0 R /BC [0.5]")
        masked("a soft mask of alpha", "/S /Alpha /G \(alpha) 0 R")
        let inverted = "<< /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>"
        masked("a soft mask with a transfer function", "/S /Luminosity /G \(luminosity) 0 R /TR \(inverted)")
        let whole = form(stripes, entries: "/Group << /S /Transparency >>")
        page(
            "a soft mask on a group that multiplies",
            resources: "/XObject << /F \(whole) 0 R >> /ExtGState << /M << /BM /Multiply "
                + "/SMask << /Type /Mask /S /Luminosity /G \(luminosity) 0 R >> >> >>",
            content: "1 1 0.4 rg 10 40 145 40 re f /M gs /F Do")
        let inside = form(
            "/M gs \(stripes)",
            resources: "/ExtGState << /M << /SMask << /Type /Mask /S /Luminosity /G \(luminosity) 0 R >> >> >>",
            entries: "/Matrix [0.8 0 0 0.8 20 10]")
        page(
            "a soft mask in a form that is scaled", resources: "/XObject << /F \(inside) 0 R >>", content: "/F Do")
    }

    fileprivate mutating func addImages() {
        // The image has 4 × 3 pixels: red, green, blue and yellow repeatedly.
        let pixels = (0..<12).flatMap {
            [[UInt8]]([[255, 0, 0], [0, 200, 0], [0, 0, 255], [255, 255, 0]])[($0 + $0 / 4) % 4]
        }
        let image = "/Type /XObject /Subtype /Image /Width 4 /Height 3 /BitsPerComponent 8"
        let levels = pdf.stream("\(image) /ColorSpace /DeviceGray", (0..<12).map { UInt8($0 * 255 / 11) })
        let shapes: [(String, String)] = [
            ("an image", ""), ("an image with a soft mask", "/SMask \(levels) 0 R"),
            ("an image whose red is masked", "/Mask [250 255 0 5 0 5]"),
        ]
        for (name, entries) in shapes {
            let number = pdf.stream("\(image) /ColorSpace /DeviceRGB \(entries)", pixels)
            page(
                name, resources: "/XObject << /I \(number) 0 R >>",
                content: "0.7 g 20 20 130 45 re f 130 0 0 90 20 20 cm /I Do")
        }
        let stencil = pdf.stream(
            "/Type /XObject /Subtype /Image /Width 4 /Height 3 /BitsPerComponent 1 /ImageMask true", [0xA0, 0x50, 0xA0])
        page(
            "a stencil", resources: "/XObject << /I \(stencil) 0 R >>",
            content: "0.7 g 20 20 130 45 re f 0 0.5 0 rg 130 0 0 90 20 20 cm /I Do")
        let turned = pdf.stream("\(image) /ColorSpace /DeviceRGB", pixels)
        page(
            "an image that is turned", resources: "/XObject << /I \(turned) 0 R >>",
            content: "0 90 -120 0 145 20 cm /I Do")
    }
}
