// Overrides `FcFontSort` of libfontconfig in this process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <string.h>

// Fonts whose letters are symbols. Fontconfig prefers D050000L for families such as Impact, which have the generic
// family "fantasy"; poppler would then draw the text as stars.
static const char *const symbols[] = {"D050000L", "Dingbats", "Standard Symbols PS", "Symbol"};

// Returns whether one of the first families of a pattern is the given family. The generic families are further behind.
static int has_family(const FcPattern *pattern, const char *family) {
    // Programs that use this module may not link libfontconfig.
    static FcResult (*get)(const FcPattern *, const char *, int, FcChar8 **) = NULL;
    if (get == NULL) *(void **)&get = dlsym(RTLD_DEFAULT, "FcPatternGetString");
    FcChar8 *name;
    for (int index = 0; index < 3 && get != NULL && get(pattern, FC_FAMILY, index, &name) == FcResultMatch; index++) {
        if (strcasecmp((const char *)name, family) == 0) return 1;
    }
    return 0;
}

static int is_unwanted(const FcPattern *font, const FcPattern *wanted) {
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        if (has_family(font, symbols[index])) return !has_family(wanted, symbols[index]);
    }
    return 0;
}

FcFontSet *FcFontSort(FcConfig *config, FcPattern *pattern, FcBool trim, FcCharSet **characters, FcResult *result) {
    static FcFontSet *(*next)(FcConfig *, FcPattern *, FcBool, FcCharSet **, FcResult *) = NULL;
    if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "FcFontSort");
    FcFontSet *set = next == NULL ? NULL : next(config, pattern, trim, characters, result);
    if (set == NULL) return NULL;
    int kept = 0, unwanted = 0;
    FcPattern *removed[64];
    for (int index = 0; index < set->nfont; index++) {
        FcPattern *font = set->fonts[index];
        if (unwanted < 64 && is_unwanted(font, pattern)) {
            removed[unwanted++] = font;
        } else {
            set->fonts[kept++] = font;
        }
    }
    // The unwanted fonts are last, because there may be no other font.
    for (int index = 0; index < unwanted; index++) set->fonts[kept++] = removed[index];
    return set;
}
