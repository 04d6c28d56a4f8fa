// Overrides `cairo_set_dash` in this process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

typedef struct _cairo cairo_t;
typedef void set_dash(cairo_t *, const double *, int, double);

void cairo_set_dash(cairo_t *context, const double *dashes, int count, double offset);

// A length that is invisible at every resolution.
static const double dot = 0.0001;

// Cairo merges the gaps around a dash without length, so that dots disappear from patterns such as [20 5 0 5]. Longer
// patterns than the buffer stay as they are.
void cairo_set_dash(cairo_t *context, const double *dashes, int count, double offset) {
    static set_dash *next = NULL;
    if (next == NULL) next = (set_dash *)dlsym(RTLD_NEXT, "cairo_set_dash");
    if (next == NULL) return;
    double lengths[64], sum = 0;
    if (count < 3 || count > 64) {
        next(context, dashes, count, offset);
        return;
    }
    for (int index = 0; index < count; index++) {
        sum += dashes[index];
        lengths[index] = dashes[index] == 0 ? dot : dashes[index];
    }
    next(context, sum > 0 ? lengths : dashes, count, offset);
}
