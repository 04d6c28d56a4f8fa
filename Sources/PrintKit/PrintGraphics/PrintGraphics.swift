// Pages, shapes, images and text: drawing for paper and for bitmaps.
//
// A `GraphicsContext` is drawn on: a `BitmapContext` holds pixels, a `PDFContext` writes pages. `BezierPath`, `Color`,
// `Gradient`, `Pattern`, `Shadow`, `Image`, `Font` and attributed strings are values that draw themselves into the
// context that is current. Everything is measured in points (1/72 inch); the origin is at the top left and y grows
// downwards, unless a context says otherwise.
//
// Cairo draws, Pango with fontconfig sets text, gdk-pixbuf reads images, libqpdf places PDF pages; none of them shows.

// Points, sizes, rectangles and transforms come with the drawing; jobs and queues, which the module knows of as well, do not.

@_exported public import struct PrintModel.AffineTransform
@_exported public import struct PrintModel.Point
@_exported public import struct PrintModel.Rect
@_exported public import struct PrintModel.Size
