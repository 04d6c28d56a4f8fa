// Overrides `cairo_set_line_width` in this process.
#define _GNU_SOURCE
#include "CThinLines.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>

// Declared here, because the module must not include cairo's headers, which would declare the function as imported.
typedef struct _cairo cairo_t;
typedef struct {
    double xx, yx, xy, yy, x0, y0;
} matrix;
typedef void set_line_width(cairo_t *, double);

void cairo_get_matrix(cairo_t *context, matrix *result);
void cairo_set_line_width(cairo_t *context, double width);

static _Thread_local int widening = 0;

void thin_lines_begin(void) { widening = 1; }
void thin_lines_end(void) { widening = 0; }

// Returns the maximum number of pixels that a unit of user space covers: the larger singular value of the matrix.
static double largest_scale(const matrix *m) {
    double squares = m->xx * m->xx + m->yx * m->yx + m->xy * m->xy + m->yy * m->yy;
    double determinant = m->xx * m->yy - m->xy * m->yx;
    double root = sqrt(fmax(squares * squares - 4 * determinant * determinant, 0));
    return sqrt((squares + root) / 2);
}

void cairo_set_line_width(cairo_t *context, double width) {
    static set_line_width *next = NULL;
    if (next == NULL) next = (set_line_width *)dlsym(RTLD_NEXT, "cairo_set_line_width");
    if (next == NULL) return;
    if (widening) {
        matrix m;
        cairo_get_matrix(context, &m);
        double pixels = largest_scale(&m);
        if (isfinite(pixels) && pixels > 0 && width * pixels < 1) width = 1 / pixels;
    }
    next(context, width);
}
