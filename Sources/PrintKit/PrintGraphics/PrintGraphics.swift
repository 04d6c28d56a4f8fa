// Drawing of shapes, images and text on pages and bitmaps.
//
// Drawing goes to a `GraphicsContext`: a `BitmapContext` holds pixels, a `PDFContext` writes pages. `BezierPath`,
// `Color`, `Gradient`, `Pattern`, `Shadow`, `Image`, `Font` and attributed strings are values that can be drawn into
// the current context. All lengths are in points (1/72 inch). By default the origin is at the top left and y grows
// downwards.
//
// Cairo draws, Pango with fontconfig sets text, gdk-pixbuf reads images, and libqpdf imports PDF pages. The public API
// exposes none of these libraries.

@_exported public import Geometry
