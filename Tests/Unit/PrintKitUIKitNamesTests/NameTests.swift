import PrintKitUIKitNames
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of UIKit's and Core Graphics' names where their behavior differs from the names of PrintGraphics.
struct NameTests {
    @Test func `rectangles have the functions of Core Graphics, and Foundation's rectangle is hidden`() {
        let rect: Rect = CGRect(x: 10, y: 20, width: 100, height: 50)
        #expect(rect.insetBy(dx: 10, dy: 5) == CGRect(x: 20, y: 25, width: 80, height: 40))
        #expect(rect.insetBy(dx: 60, dy: 0).isNull && CGRect.null.isNull && !rect.isNull)
        #expect(rect.offsetBy(dx: -10, dy: 1).origin == CGPoint(x: 0, y: 21))
        #expect(rect.union(CGRect(x: 0, y: 0, width: 5, height: 5)) == CGRect(x: 0, y: 0, width: 110, height: 70))
        #expect(rect.contains(CGRect(x: 10, y: 20, width: 1, height: 1)) && !rect.contains(rect.offsetBy(dx: 1, dy: 0)))
        #expect(rect.intersects(rect.offsetBy(dx: 99, dy: 0)) && !rect.intersects(rect.offsetBy(dx: 100, dy: 0)))
        #expect(CGRect(x: 0.4, y: -0.4, width: 1.0, height: 1.0).integral == CGRect(x: 0, y: -1, width: 2, height: 2))
        let (slice, rest) = rect.divided(atDistance: 30, from: .maxXEdge)
        #expect(slice == CGRect(x: 80, y: 20, width: 30, height: 50) && rest.width == 70 && rest.minX == 10)
        let (top, bottom) = rect.divided(atDistance: 80, from: .minYEdge)
        #expect(top == rect && bottom.height == 0 && bottom.minY == 70)
        #expect(NSValue(cgRect: rect).cgRectValue == rect)
        #expect(
            rect.inset(by: UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)).size == CGSize(width: 94, height: 46))
        #expect(CGRect(x: 5, y: 5, width: -3, height: 2).standardized == CGRect(x: 2, y: 5, width: 3, height: 2))
        let shift = CGAffineTransform(translationX: 5, y: 6).scaledBy(x: 2, y: 2)
        #expect(
            CGPoint(x: 1, y: 1).applying(shift) == CGPoint(x: 7, y: 8)
                && shift.inverted().concatenating(shift).isIdentity)
    }

    @Test func `a path that is a constant can be changed, and copies are independent`() throws {
        let path = UIBezierPath()
        path.move(to: .zero)
        path.addLine(to: CGPoint(x: 10, y: 0))
        path.addLine(to: CGPoint(x: 10, y: 10))
        path.close()
        let copy = try #require(path.copy() as? UIBezierPath)
        copy.apply(CGAffineTransform(scaleX: 2, y: 2))
        #expect(path.bounds.width == 10 && copy.bounds.width == 20 && path.contains(CGPoint(x: 8, y: 2)))
        let shape = try #require(path.cgPath.mutableCopy())
        shape.addRoundedRect(in: CGRect(x: 20, y: 0, width: 10, height: 10), cornerWidth: 2, cornerHeight: 2)
        path.cgPath = shape
        #expect(path.bounds == CGRect(x: 0, y: 0, width: 30, height: 10))
        #expect(shape.contains(CGPoint(x: 25, y: 5)) && CGPath(rect: .zero, transform: nil).boundingBoxOfPath == .zero)
    }

    @Test func `a low-level arc runs against the direction of UIKit's arc of the same name`() {
        let ui = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
        let low = CGMutablePath()
        low.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: false)
        #expect(low.path == ui.bezierPath.cgPath)
        low.addArc(center: .zero, radius: 10, startAngle: .pi / 2, endAngle: 0, clockwise: false)
        #expect(low.boundingBoxOfPath.minX < -9.99)
    }

    @Test func `a low-level image is upside down in an upper-left context, and upright in a flipped one`() throws {
        let image = try Image(width: 1, height: 2, rgb: [255, 0, 0, 0, 0, 255])
        #expect(image.cgImage?.height == 2 && image.cgImage?.dataProvider?.data?.count == 8)
        for isFlipped in [false, true] {
            let drawn = UIGraphicsImageRenderer(size: CGSize(width: 1, height: 2)).image { renderer in
                let context = renderer.cgContext
                if isFlipped {
                    context.translateBy(x: 0, y: 2)
                    context.scaleBy(x: 1, y: -1)
                }
                if let low = image.cgImage { context.draw(low, in: CGRect(x: 0, y: 0, width: 1, height: 2)) }
            }
            let isRedOnTop = try drawn.pixel(x: 0, y: 0).red == 255
            #expect(drawn.scale == 2 && isRedOnTop == isFlipped)
        }
    }

    @Test func `setters of Core Graphics change the state that is saved and restored`() throws {
        let context: CGContext = try BitmapContext(size: CGSize(width: 100, height: 50))
        context.saveGState()
        context.setFlatness(5)
        context.setLineWidth(3)
        context.setLineCap(.round)
        context.setLineJoin(.bevel)
        context.setMiterLimit(4)
        context.setLineDash(phase: 1, lengths: [2, 3])
        context.setAlpha(0.5)
        context.setBlendMode(.multiply)
        context.setRenderingIntent(.perceptual)
        context.setShouldAntialias(false)
        context.setTextDrawingMode(.stroke)
        context.setShadow(offset: CGSize(width: 1, height: 2), blur: 3)
        context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
        context.setStrokeColor(gray: 0.5, alpha: 1)
        context.scaleBy(x: 2, y: 2)
        context.clip(to: [CGRect(x: 5, y: 5, width: 10, height: 10), CGRect(x: 30, y: 10, width: 5, height: 10)])
        #expect(context.flatness == 5 && context.lineWidth == 3 && context.lineCap == .round)
        #expect(context.lineJoin == .bevel && context.miterLimit == 4 && context.lineDash.lengths == [2, 3])
        #expect(context.alpha == 0.5 && context.blendMode == .multiply && context.renderingIntent == .perceptual)
        #expect(!context.shouldAntialias && context.textDrawingMode == .stroke && context.shadow?.blurRadius == 3)
        #expect(context.fillColor == .red && context.strokeColor == CGColor(white: 0.5) && context.ctm.a == 2)
        #expect(context.boundingBoxOfClipPath == CGRect(x: 5, y: 5, width: 30, height: 15))
        context.setShadow(offset: .zero, blur: 0, color: nil)
        #expect(context.shadow == nil)
        context.restoreGState()
        #expect(context.flatness == 0.1 && context.renderingIntent == .default && context.lineWidth == 1)
        #expect(context.boundingBoxOfClipPath == CGRect(x: 0, y: 0, width: 100, height: 50))
        context.addArc(center: .zero, radius: 5, startAngle: 0, endAngle: .pi / 2, clockwise: false)
        #expect(abs(context.currentPointOfPath.y - 5) < 1e-9 && !context.isPathEmpty)
    }

    @Test func `a gradient of Core Graphics needs as many locations as colors`() {
        let colors = [UIColor.red.cgColor, UIColor.blue.cgColor] as CFArray
        let space = CGColorSpace(name: CGColorSpace.sRGB)
        #expect(space?.numberOfComponents == 3 && CGColorSpace(name: "other") === nil)
        #expect(CGGradient(colorsSpace: space, colors: colors, locations: [0.2, 1])?.stops[0].location == 0.2)
        #expect(CGGradient(colorsSpace: space, colors: colors, locations: nil)?.stops[1].location == 1)
        #expect(CGGradient(colorsSpace: space, colors: colors, locations: [0]) == nil)
        #expect(CGGradient(colorsSpace: space, colors: [1], locations: nil) == nil)
    }

    @Test func `fonts and images are optional, and PNG data does not throw`() throws {
        let font = UIFont(name: "Helvetica-Bold", size: 12)
        #expect(font != nil && UIFont(name: "Helvetica", size: 9)!.pointSize == 9)
        #expect(UIImage(data: Data([1, 2]))?.size == nil && UIImage(contentsOfFile: "/nonexistent.png")?.size == nil)
        #expect(UIImage(named: "nothing")?.size == nil)
        let image = try Image(width: 1, height: 1, rgb: [0, 255, 0])
        let data = try #require(image.pngData())
        #expect(UIImage(data: data)?.size == CGSize(width: 1, height: 1))
        #expect(image.jpegData(compressionQuality: 0.5) != nil)
        if let low = image.cgImage { #expect(UIImage(cgImage: low, scale: 2, orientation: .down).size.width == 0.5) }
    }

    @Test func `attributes of NSAttributedString reach the text, and text without a color is black`() throws {
        let style = NSMutableParagraphStyle()
        (style.alignment, style.firstLineHeadIndent) = (.right, 7)
        let text = NSMutableAttributedString(string: "ab", attributes: [.font: UIFont.boldSystemFont(ofSize: 20)])
        text.append(
            NSAttributedString(
                string: "c",
                attributes: [
                    .foregroundColor: UIColor.red, .kern: 2, .underlineStyle: NSUnderlineStyle.double.rawValue,
                    .strikethroughStyle: 1, .paragraphStyle: style, .baselineOffset: 1.5,
                ]))
        let runs = Array(AttributedString(uiKit: text).runs)
        #expect(runs.count == 2)
        #expect(runs[0].printGraphics.font == .boldSystem(ofSize: 20) && runs[0].printGraphics.textColor == .black)
        let last = runs[1].printGraphics
        #expect(last.textColor == .red && last.kern == 2 && last.underline == .double && last.strikethrough == true)
        #expect(last.paragraphStyle?.firstLineHeadIndent == 7 && last.baselineOffset == 1.5)
        #expect(last.font == .system(ofSize: 12))
    }

    @Test func `text is measured as one line, or with line breaks in a width`() {
        let attributes: [NSAttributedString.Key: Any] = [.font: UIFont.systemFont(ofSize: 10)]
        let text = "some words that need several lines"
        let line = text.size(withAttributes: attributes)
        let narrow = CGSize(width: 60, height: CGFloat.greatestFiniteMagnitude)
        let block = text.boundingRect(
            with: narrow, options: .usesLineFragmentOrigin, attributes: attributes, context: nil)
        #expect(block.width <= 60 && block.height >= 2.9 * line.height)
        #expect(text.boundingRect(with: narrow, options: [], attributes: attributes, context: nil).size == line)
        #expect(NSString(string: text).size(withAttributes: attributes) == line)
    }

    @Test func `a page of a PDF has its boxes, and is drawn at its place where y grows upwards`() throws {
        let data = NSMutableData()
        UIGraphicsBeginPDFContextToData(data, .zero, nil)
        let crop = [kCGPDFContextCropBox: CGRect(x: 0, y: 0, width: 30, height: 20)]
        UIGraphicsBeginPDFPageWithInfo(CGRect(x: 0, y: 0, width: 50, height: 40), crop)
        UIColor.red.setFill()
        UIRectFill(CGRect(x: 0, y: 0, width: 10, height: 10))
        UIColor.blue.setFill()
        UIRectFill(CGRect(x: 20, y: 10, width: 10, height: 30))
        UIGraphicsEndPDFContext()
        let document = try #require(CGPDFDocument(CGDataProvider(data: data as Data)))
        let page = try #require(document.page(at: 1))
        #expect(page.getBoxRect(.mediaBox) == CGRect(x: 0, y: 0, width: 50, height: 40) && page.rotationAngle == 0)
        #expect(page.getBoxRect(.cropBox) == CGRect(x: 0, y: 20, width: 30, height: 20))
        #expect(page.getBoxRect(.trimBox) == page.getBoxRect(.cropBox))

        let folder = try TemporaryFolder()
        let path = folder.path("copy.pdf")
        #expect(UIGraphicsBeginPDFContextToFile(path, page.getBoxRect(.mediaBox), nil))
        UIGraphicsBeginPDFPage()
        let context = try #require(UIGraphicsGetCurrentContext())
        context.translateBy(x: 0, y: 40)
        context.scaleBy(x: 1, y: -1)
        context.drawPDFPage(page)
        UIGraphicsEndPDFContext()
        let image = try PDFDocument(path: path).render(page: 0, dpi: 72)
        #expect(
            image[5, 5] == .init(red: 255, green: 0, blue: 0) && image[25, 15] == .init(red: 0, green: 0, blue: 255))
        #expect(image[25, 5] == .white && image[25, 25] == .white, "the part outside the crop box is not drawn")
        #expect(CGPDFDocument(CGDataProvider(data: Data("no PDF".utf8)))?.numberOfPages == nil)
    }

    @Test func `text fits into a rectangle of its measured size`() {
        for points in stride(from: 7.0, through: 48, by: 0.7) {
            for text in ["Invoice 2027-04", "Äpfel, Birnen & Öl", "Two lines\nof text"] {
                let string = NSAttributedString(string: text, attributes: [.font: UIFont.systemFont(ofSize: points)])
                let size = string.size()
                let again = string.boundingRect(with: size, options: .usesLineFragmentOrigin, context: nil)
                #expect(again.size == size, "'\(text)' in \(points) points")
            }
        }
    }

    @Test func `functions of UIKit begin and end nested documents and images`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.pdf")
        #expect(UIGraphicsBeginPDFContextToFile(path, .zero, [kCGPDFContextTitle: "Nested"]))
        UIGraphicsBeginPDFPageWithInfo(CGRect(x: 0, y: 0, width: 50, height: 40), nil)
        #expect(UIGraphicsGetPDFContextBounds().size == CGSize(width: 50, height: 40))
        UIGraphicsBeginImageContext(CGSize(width: 3, height: 3))
        UIColor.red.setFill()
        UIRectFill(CGRect(x: 0, y: 0, width: 3, height: 3))
        let image = try #require(UIGraphicsGetImageFromCurrentImageContext())
        UIGraphicsEndImageContext()
        #expect(UIGraphicsGetCurrentContext() is PDFContext && image.pixelWidth == 3)
        image.draw(at: .zero)
        // An image without a size draws nothing, and does not draw into the document.
        UIGraphicsBeginImageContextWithOptions(.zero, false, 0)
        UIRectFill(CGRect(x: 0, y: 0, width: 50, height: 40))
        #expect(UIGraphicsGetImageFromCurrentImageContext()?.size == nil)
        UIGraphicsEndImageContext()
        UIGraphicsEndPDFContext()
        #expect(UIGraphicsGetCurrentContext() === nil)
        let document = try #require(CGPDFDocument(URL(fileURLWithPath: path)))
        #expect(document.numberOfPages == 1 && document.page(at: 0) === nil)
        let page = try #require(document.page(at: 1))
        #expect(page.getBoxRect(.mediaBox) == CGRect(x: 0, y: 0, width: 50, height: 40) && page.pageNumber == 1)
        let copy = UIGraphicsPDFRenderer(bounds: page.getBoxRect(.cropBox)).pdfData { context in
            context.beginPage()
            context.cgContext.translateBy(x: 0, y: 40)
            context.cgContext.scaleBy(x: 1, y: -1)
            context.cgContext.drawPDFPage(page)
        }
        #expect(copy.starts(with: Data("%PDF".utf8)))
        #expect(UIGraphicsPDFRenderer(bounds: .zero).pdfData { _ in }.isEmpty, "a PDF without pages is an error")
    }
}
