// Drawing of shapes, images and text on pages and bitmaps.
//
// Drawing goes to a `GraphicsContext`: a `BitmapContext` holds pixels, a `PDFContext` writes pages. `BezierPath`,
// `Color`, `Gradient`, `Pattern`, `Shadow`, `Image`, `Font` and attributed strings are values that can be drawn into
// the current context. All lengths are in points (1/72 inch). By default the origin is at the top left and y grows
// downwards.
//
// Cairo draws, Pango with fontconfig sets text, gdk-pixbuf reads images, and libqpdf imports PDF pages. The public API
// exposes none of these libraries.

// Only the geometry types of PrintModel are re-exported, not its job and queue types.

@_exported public import struct PrintModel.AffineTransform
@_exported public import struct PrintModel.Point
@_exported public import struct PrintModel.Rect
@_exported public import struct PrintModel.Size
