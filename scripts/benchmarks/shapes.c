/* Pages of rectangles, curves and ovals, drawn by cairo without anything around it: shapes PAGES PDF.
   What drawing-load does in Swift, page by page the same. */
#include <cairo-pdf.h>
#include <math.h>
#include <stdlib.h>

static void draw_cell(cairo_t *cr, int page, int index)
{
    double x = index % 10 * 54 + 36, y = index / 10 * 72 + 36;
    double share = (index + page % 7) / 107.0;
    cairo_set_source_rgb(cr, share, 1 - share, 0.5);
    cairo_rectangle(cr, x, y, 40, 30);
    cairo_fill(cr);

    cairo_set_source_rgb(cr, 0, share, 1 - share);
    cairo_set_line_width(cr, 1 + share);
    cairo_move_to(cr, x, y + 60);
    cairo_curve_to(cr, x + 10, y, x + 30, y + 90, x + 40, y + 60);
    cairo_stroke(cr);

    cairo_set_source_rgb(cr, share, 1 - share, 0.5);
    cairo_arc(cr, x + 20, y + 45, 10, 0, 2 * M_PI);
    cairo_close_path(cr);
    cairo_fill(cr);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 64;
    cairo_surface_t *surface = cairo_pdf_surface_create(argv[2], 612, 792);
    for (int page = 0; page < atoi(argv[1]); page++) {
        cairo_t *cr = cairo_create(surface);
        for (int index = 0; index < 100; index++)
            draw_cell(cr, page, index);
        cairo_destroy(cr);
        cairo_surface_show_page(surface);
    }
    cairo_surface_finish(surface);
    int failed = cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS;
    cairo_surface_destroy(surface);
    return failed;
}
