// Overrides `TextPage::addChar` of libpoppler in this process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "CThinLines.h"

static _Thread_local int skipping = 0;

void skipped_text_begin(void) { skipping = 1; }
void skipped_text_end(void) { skipping = 0; }

// The parameters are those of poppler 22.12: the page, the state, the position and the size of the character, its code
// and length, and its Unicode characters. In other versions the function has another name, and is not overridden.
#define ADD_CHAR _ZN8TextPage7addCharEPK8GfxStateddddjiPKji
typedef void add_char(void *, const void *, double, double, double, double, unsigned, int, const unsigned *, int);

add_char ADD_CHAR;

void ADD_CHAR(
    void *page, const void *state, double x, double y, double dx, double dy, unsigned character, int bytes,
    const unsigned *unicode, int length) {
    static add_char *next = NULL;
    if (skipping) return;
    if (next == NULL) next = (add_char *)dlsym(RTLD_NEXT, "_ZN8TextPage7addCharEPK8GfxStateddddjiPKji");
    if (next != NULL) next(page, state, x, y, dx, dy, character, bytes, unicode, length);
}
