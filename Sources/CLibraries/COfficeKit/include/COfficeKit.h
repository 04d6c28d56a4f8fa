// The part of LibreOfficeKit that converts a document into a PDF.
//
// LibreOfficeKit is the C interface of LibreOffice (LibreOfficeKit.h). Its library is opened at run time, so that the
// program starts, and reports a clear error, without LibreOffice. All functions must be called by the same thread.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A running LibreOffice in this process. A process can have only one.
struct office;

/// The reason why a document was not loaded.
enum office_failure {
    /// LibreOffice cannot read the document.
    OFFICE_UNREADABLE = 1,
    /// The document is encrypted, and no password was given.
    OFFICE_NEEDS_PASSWORD = 2,
    /// The password is wrong.
    OFFICE_WRONG_PASSWORD = 3,
};

/// Starts LibreOffice.
///
/// - Parameters: The absolute path of LibreOffice's folder `program`; the URL of the user profile, which is created if
///   it does not exist; where the error is stored.
/// Returns NULL when LibreOffice does not start; the error is then a message that need not be freed.
struct office *office_start(const char *program, const char *profile_url, const char **error);

/// Chooses whether documents without a page size have Letter pages instead of A4 pages.
///
/// The page size follows from the country of the language. LibreOfficeKit sets the language only when it loads a
/// document; a document that does not exist is sufficient.
void office_set_paper(struct office *office, int is_letter);

/// Runs a macro of the user profile (`macro:///Library.Module.Function(arguments)`). Returns whether the macro was run.
int office_run_macro(struct office *office, const char *url);

/// Loads a document with a view, and answers LibreOffice's questions about it.
///
/// - Parameters: The URL of the document; its password, or NULL; whether a document without a page size has Letter pages;
///   where the reason of a failure is stored.
/// Returns whether the document was loaded.
int office_load(
    struct office *office, const char *url, const char *password, int is_letter, enum office_failure *failure);

/// Returns LibreOffice's last error message; empty if it has none. The message need not be freed.
const char *office_last_error(struct office *office);

/// A font that LibreOffice replaced: UTF-16 text and its lengths.
struct office_font {
    const uint16_t *requested, *used;
    int requested_length, used_length;
};

/// Starts the recording of fonts. Returns whether this version of LibreOffice can record fonts.
///
/// The functions are not a part of LibreOfficeKit. LibreOffice 7.4 and later export them for its own user interface
/// (`OutputDevice::StartTrackingFontMappingUse`).
int office_record_fonts(struct office *office);

/// Ends the recording and returns the fonts that were drawn, as requested and as used.
///
/// - Parameters: An array for the fonts; its length.
/// Returns the number of fonts in the array. The text is valid until the process ends.
int office_recorded_fonts(struct office *office, struct office_font *fonts, int most);

/// Returns the offset of a byte pattern at or after an offset; -1 if the bytes do not contain the pattern.
int64_t office_find(const uint8_t *bytes, int64_t length, int64_t start, const char *pattern, int64_t pattern_length);

#ifdef __cplusplus
}
#endif
