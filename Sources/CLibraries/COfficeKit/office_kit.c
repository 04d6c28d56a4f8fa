// Starts LibreOffice and converts documents through the function tables of LibreOfficeKit.
#define _GNU_SOURCE
#include "COfficeKit.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The function tables begin with these members in all versions since 6.0; later versions append members.
struct kit;
struct office_document;
struct kit_functions {
    size_t size;
    void (*destroy)(struct kit *);
    struct office_document *(*load)(struct kit *, const char *url);
    char *(*last_error)(struct kit *);
    struct office_document *(*load_with_options)(struct kit *, const char *url, const char *options);
    void (*free_error)(char *);
    void (*register_callback)(struct kit *, void (*callback)(int type, const char *payload, void *data), void *data);
    char *(*filter_types)(struct kit *);
    void (*set_optional_features)(struct kit *, unsigned long long features);
    void (*set_document_password)(struct kit *, const char *url, const char *password);
    char *(*version)(struct kit *);
    int (*run_macro)(struct kit *, const char *url);
};
struct kit {
    struct kit_functions *functions;
};

// Features and callbacks of LibreOfficeKitEnums.h.
enum { HANDLES_PASSWORD = 1 << 0, HANDLES_PASSWORD_TO_MODIFY = 1 << 1 };
enum { ASKS_PASSWORD = 20, ASKS_PASSWORD_TO_MODIFY = 21 };

// A value of the type std::vector<vcl::FontMappingUseItem>, as the C++ ABI of GCC and Clang lays it out.
struct text {
    int32_t references, length;
    uint16_t characters[];
};
struct font_use {
    struct text *requested;
    struct text **used, **used_end, **used_limit;
    int count;
};
struct font_uses {
    struct font_use *first, *end, *limit;
};

struct office {
    struct kit *kit;
    const char *url, *password;
    int questions;
    char error[1024];
    void (*start_fonts)(void);
    // The result of a C++ function that returns a vector is stored where the hidden first argument points.
    void (*finish_fonts)(struct font_uses *);
};

static void *open_library(const char *program, const char **error) {
    // A build with merged libraries has a text stub, or no file, in place of the first library.
    static const char *const names[] = {"libsofficeapp.so", "libmergedlo.so"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", program, names[index]);
        void *library = dlopen(path, RTLD_LAZY);
        if (library != NULL && dlsym(library, "libreofficekit_hook_2") != NULL) return library;
        if (library == NULL) *error = dlerror();
    }
    return NULL;
}

static void answer(int type, const char *payload, void *data) {
    (void)payload;
    struct office *office = data;
    if (type != ASKS_PASSWORD && type != ASKS_PASSWORD_TO_MODIFY) return;
    // The payload is the URL of the document, or only its name if the document is a DOC. LibreOffice expects the URL of
    // the document. NULL cancels; a document that is only protected from changes is then opened for reading.
    const char *password = type == ASKS_PASSWORD && office->questions == 0 ? office->password : NULL;
    if (type == ASKS_PASSWORD) office->questions++;
    office->kit->functions->set_document_password(office->kit, office->url, password);
}

struct office *office_start(const char *program, const char *profile_url, const char **error) {
    static struct office office;
    *error = "the library of LibreOffice was not found";
    void *library = open_library(program, error);
    if (library == NULL) return NULL;
    struct kit *(*hook)(const char *, const char *);
    *(void **)&hook = dlsym(library, "libreofficekit_hook_2");
    office.kit = hook(program, profile_url);
    *error = "LibreOffice does not start";
    if (office.kit == NULL) return NULL;
    *error = "this version of LibreOffice is too old; version 6.0 or later is required";
    if (office.kit->functions->size < sizeof(struct kit_functions)) return NULL;
    office.kit->functions->set_optional_features(office.kit, HANDLES_PASSWORD | HANDLES_PASSWORD_TO_MODIFY);
    office.kit->functions->register_callback(office.kit, answer, &office);
    *(void **)&office.start_fonts = dlsym(library, "_ZN12OutputDevice27StartTrackingFontMappingUseEv");
    *(void **)&office.finish_fonts = dlsym(library, "_ZN12OutputDevice28FinishTrackingFontMappingUseEv");
    return &office;
}

// "Batch" lets LibreOffice cancel each dialog.
static const char *options(int is_letter) {
    return is_letter ? "Language=en-US,Batch=false" : "Language=en-GB,Batch=false";
}

void office_set_paper(struct office *office, int is_letter) {
    office->url = "file:///nonexistent/none";
    office->kit->functions->load_with_options(office->kit, office->url, options(is_letter));
}

int office_run_macro(struct office *office, const char *url) {
    return office->kit->functions->run_macro(office->kit, url) != 0;
}

int office_load(
    struct office *office, const char *url, const char *password, int is_letter, enum office_failure *failure) {
    office->url = url;
    office->password = password;
    office->questions = 0;
    struct office_document *document = office->kit->functions->load_with_options(office->kit, url, options(is_letter));
    *failure = office->questions == 0 ? OFFICE_UNREADABLE
               : password == NULL     ? OFFICE_NEEDS_PASSWORD
                                      : OFFICE_WRONG_PASSWORD;
    return document != NULL;
}

const char *office_last_error(struct office *office) {
    char *error = office->kit->functions->last_error(office->kit);
    snprintf(office->error, sizeof office->error, "%s", error == NULL ? "" : error);
    if (error != NULL) office->kit->functions->free_error(error);
    return office->error;
}

int office_record_fonts(struct office *office) {
    if (office->start_fonts == NULL || office->finish_fonts == NULL) return 0;
    office->start_fonts();
    return 1;
}

static int is_name(const struct text *text) { return text != NULL && text->length > 0 && text->length <= 256; }

int office_recorded_fonts(struct office *office, struct office_font *fonts, int most) {
    if (office->finish_fonts == NULL) return 0;
    // Static, because its content is used until the process ends.
    static struct font_uses uses;
    office->finish_fonts(&uses);
    ptrdiff_t bytes = (char *)uses.end - (char *)uses.first;
    if (uses.first == NULL || bytes <= 0 || bytes % (ptrdiff_t)sizeof(struct font_use) != 0) return 0;
    int count = 0;
    for (struct font_use *use = uses.first; use < uses.end && count < most; use++) {
        if (!is_name(use->requested)) continue;
        for (struct text **used = use->used; used < use->used_end && count < most; used++) {
            if (!is_name(*used)) continue;
            fonts[count++] = (struct office_font){
                use->requested->characters, (*used)->characters, use->requested->length, (*used)->length};
        }
    }
    return count;
}

int64_t office_find(const uint8_t *bytes, int64_t length, int64_t start, const char *pattern, int64_t pattern_length) {
    if (start < 0 || start > length) return -1;
    const uint8_t *found = memmem(bytes + start, (size_t)(length - start), pattern, (size_t)pattern_length);
    return found == NULL ? -1 : found - bytes;
}
