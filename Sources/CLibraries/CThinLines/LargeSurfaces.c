// Overrides `cairo_image_surface_create` in this process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "CThinLines.h"

// Pixman's coordinates have 16 bits.
enum { LONGEST_SIDE = 32767 };

typedef struct _cairo_surface cairo_surface_t;
typedef cairo_surface_t *create_surface(int format, int width, int height);

cairo_surface_t *cairo_image_surface_create(int format, int width, int height);

static _Thread_local int count = 0;

void large_surfaces_reset(void) { count = 0; }
int large_surfaces_count(void) { return count; }

cairo_surface_t *cairo_image_surface_create(int format, int width, int height) {
    static create_surface *next = NULL;
    if (next == NULL) next = (create_surface *)dlsym(RTLD_NEXT, "cairo_image_surface_create");
    if (width > LONGEST_SIDE || height > LONGEST_SIDE) count++;
    return next == NULL ? NULL : next(format, width, height);
}
