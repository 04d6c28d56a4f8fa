// Draws pictures of blend modes, gradients, patterns and shadows.

import PrintGraphics

extension DrawingPictures {
    /// Draws a blue disc over a yellow disc in every blend mode.
    static func blendModes(on context: GraphicsContext) {
        for (index, mode) in BlendMode.allCases.enumerated() {
            let cell = Rect(
                x: Double(index % 7) * 80 + 10, y: Double(index / 7) * 84 + 10, width: 60, height: 50)
            // Each pair has a separate layer, so that it begins on transparent pixels, which some modes need.
            context.withTransparencyLayer(in: cell) { layer in
                layer.fillColor = Color(red: 1, green: 0.8, blue: 0.1)
                layer.fillEllipse(in: Rect(x: cell.minX, y: cell.minY, width: 42, height: 50))
                layer.blendMode = mode
                layer.fillColor = Color(red: 0.2, green: 0.4, blue: 0.9, alpha: 0.9)
                layer.fillEllipse(in: Rect(x: cell.minX + 18, y: cell.minY, width: 42, height: 50))
            }
            context.fillColor = .black
            label("\(mode)", below: cell)
        }
    }

    /// Draws a linear gradient, a radial gradient and a pattern.
    static func gradients(on context: GraphicsContext) {
        let dusk = Gradient(colors: [.orange, .purple])
        let linear = Rect(x: 10, y: 10, width: 140, height: 90)
        context.withSavedState { context in
            context.clip(to: BezierPath(roundedRect: linear, cornerRadius: 12))
            context.drawLinearGradient(dusk, from: linear.origin, to: Point(x: linear.maxX, y: linear.maxY))
        }
        let radial = Rect(x: 170, y: 10, width: 140, height: 90)
        context.withSavedState { context in
            context.clip(to: BezierPath(ovalIn: radial))
            context.drawRadialGradient(
                Gradient(colors: [.white, .blue]), startCenter: Point(x: 215, y: 40), startRadius: 0,
                endCenter: Point(x: 240, y: 55), endRadius: 75, extending: .afterEnd)
        }
        let repeated = Rect(x: 330, y: 10, width: 140, height: 90)
        let dots = Pattern(cell: Size(width: 14, height: 14)) { cell in
            cell.fillColor = .red
            cell.fillEllipse(in: Rect(x: 2, y: 2, width: 9, height: 9))
        }
        dots.setFill()
        BezierPath(roundedRect: repeated, cornerRadius: 12).fill()
        context.fillColor = .black
        for (name, rect) in [("drawLinearGradient", linear), ("drawRadialGradient", radial), ("Pattern", repeated)] {
            label(name, below: rect)
        }
    }

    /// Draws a sharp shadow, a blurred shadow, and a common shadow of several shapes.
    static func shadows(on context: GraphicsContext) {
        let places = [("sharp", 10.0), ("blurred", 170), ("of a layer", 330)].map { name, x in
            (name: name, rect: Rect(x: x + 15, y: 10, width: 100, height: 80))
        }
        func discs(in rect: Rect, on context: GraphicsContext) {
            context.fillColor = Color(red: 0.95, green: 0.75, blue: 0.2)
            context.fillEllipse(in: Rect(x: rect.minX, y: rect.minY, width: 60, height: 60))
            context.fillEllipse(in: Rect(x: rect.minX + 32, y: rect.minY + 14, width: 60, height: 60))
        }
        for (index, place) in places.enumerated() {
            context.withSavedState { context in
                context.shadow = Shadow(
                    offset: Size(width: 5, height: 5), blurRadius: index == 0 ? 0 : 6,
                    color: Color(white: 0, alpha: 0.5))
                if index == 2 {
                    context.withTransparencyLayer { discs(in: place.rect, on: $0) }
                } else {
                    discs(in: place.rect, on: context)
                }
            }
            context.fillColor = .black
            label(place.name, below: place.rect)
        }
    }
}
