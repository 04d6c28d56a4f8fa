// Overrides the functions with which poppler draws Type 3 fonts in this process.
#define _GNU_SOURCE
#include <cairo/cairo.h>
#include <dlfcn.h>
#include <stddef.h>

#include "CThinLines.h"

// Programs that use this module may not link libcairo, therefore each function of libcairo is looked up.
#define FOUND(name, place) ({ \
    static __typeof__(name) *found = NULL; \
    if (found == NULL) found = (__typeof__(name) *)dlsym(place, #name); \
    found; \
})
#define NEXT(name) __typeof__(name) *next = FOUND(name, RTLD_NEXT)
#define CALL(name) FOUND(name, RTLD_DEFAULT)

// The keys of a font face: its function that draws a glyph, and whether one of its glyphs has colors.
static const cairo_user_data_key_t draws, is_colored;
// The font face whose glyph is being drawn on this thread.
static _Thread_local cairo_font_face_t *face = NULL;
static _Thread_local int count = 0;

void colored_glyphs_reset(void) { count = 0; }
int colored_glyphs_count(void) { return count; }

static cairo_status_t draw_glyph(
    cairo_scaled_font_t *font, unsigned long glyph, cairo_t *context, cairo_text_extents_t *extents) {
    cairo_font_face_t *outer = face;
    face = CALL(cairo_scaled_font_get_font_face)(font);
    cairo_user_scaled_font_render_glyph_func_t function =
        (cairo_user_scaled_font_render_glyph_func_t)CALL(cairo_font_face_get_user_data)(face, &draws);
    cairo_status_t status =
        function == NULL ? CAIRO_STATUS_USER_FONT_ERROR : function(font, glyph, context, extents);
    face = outer;
    // Poppler transforms two corners of the glyph's box, which are not the corners of a turned box. Cairo measures the glyph
    // if its width is 0.
    if (extents != NULL) extents->width = 0;
    return status;
}

void cairo_user_font_face_set_render_glyph_func(
    cairo_font_face_t *font, cairo_user_scaled_font_render_glyph_func_t function) {
    NEXT(cairo_user_font_face_set_render_glyph_func);
    if (next == NULL) return;
    if (CALL(cairo_font_face_set_user_data)(font, &draws, (void *)function, NULL) == CAIRO_STATUS_SUCCESS)
        function = draw_glyph;
    next(font, function);
}

// Returns whether a glyph with this source has colors. Poppler draws glyphs without colors in black or white, or as masks.
static int has_colors(cairo_pattern_t *source) {
    double red, green, blue, alpha;
    cairo_surface_t *surface;
    if (CALL(cairo_pattern_get_rgba)(source, &red, &green, &blue, &alpha) == CAIRO_STATUS_SUCCESS)
        return red != green || green != blue || (red > 0 && red < 1);
    return CALL(cairo_pattern_get_surface)(source, &surface) != CAIRO_STATUS_SUCCESS
           || CALL(cairo_surface_get_content)(surface) != CAIRO_CONTENT_ALPHA;
}

void cairo_set_source(cairo_t *context, cairo_pattern_t *source) {
    NEXT(cairo_set_source);
    if (face != NULL && has_colors(source))
        CALL(cairo_font_face_set_user_data)(face, &is_colored, (void *)&is_colored, NULL);
    if (next != NULL) next(context, source);
}

static void note(cairo_t *context) {
    cairo_font_face_t *used = CALL(cairo_get_font_face)(context);
    if (CALL(cairo_font_face_get_type)(used) == CAIRO_FONT_TYPE_USER
        && CALL(cairo_font_face_get_user_data)(used, &is_colored) != NULL)
        count++;
}

void cairo_show_glyphs(cairo_t *context, const cairo_glyph_t *glyphs, int length) {
    NEXT(cairo_show_glyphs);
    if (next != NULL) next(context, glyphs, length);
    note(context);
}
