// Adds links, outline, attachments, pages of other documents, and encryption to a PDF after its pages are drawn.

#ifndef CQPDFFINISH_H
#define CQPDFFINISH_H

#include "CQPDF.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A drawn document that is being completed.
typedef struct cqpdf_finishing cqpdf_finishing;

/// The permissions of users who do not enter the owner password.
typedef struct {
    bool print, print_well, copy, change, comment, assemble;
} cqpdf_permissions;

/// Opens a drawn document; NULL if it cannot be read.
cqpdf_finishing *cqpdf_finish_open(const char *path, cqpdf_status *status);
void cqpdf_finish_close(cqpdf_finishing *finishing);

/// Adds a link to a rectangle (left, bottom, right, top) of a page: to `uri`, or to a named destination if `uri` is
/// NULL. A link to a destination that does not exist is omitted.
bool cqpdf_finish_link(
    cqpdf_finishing *finishing, size_t page, const double rect[4], const char *uri, const char *destination,
    cqpdf_status *status);
/// Adds a named destination; if a name is used twice, the first destination is kept.
bool cqpdf_finish_destination(
    cqpdf_finishing *finishing, const char *name, size_t page, double x, double y, cqpdf_status *status);
/// Adds an entry to the outline, below the last entry of the level above.
bool cqpdf_finish_outline(
    cqpdf_finishing *finishing, const char *title, size_t level, size_t page, double x, double y,
    cqpdf_status *status);
/// Embeds a file.
bool cqpdf_finish_attachment(
    cqpdf_finishing *finishing, const char *name, const char *description, const char *type, const void *data,
    size_t size, cqpdf_status *status);
/// Sets a box of a page, such as `/TrimBox`.
bool cqpdf_finish_box(
    cqpdf_finishing *finishing, size_t page, const char *key, const double rect[4], cqpdf_status *status);
/// Sets the document's XMP metadata.
bool cqpdf_finish_metadata(cqpdf_finishing *finishing, const void *data, size_t size, cqpdf_status *status);
/// Replaces the image whose data contains a marker by a page of another document. The other document must stay open
/// until the document is written, and its pages must have been counted.
bool cqpdf_finish_form(
    cqpdf_finishing *finishing, const char *marker, cqpdf_document *source, size_t page, cqpdf_status *status);
/// Writes the document, encrypted with AES-256 if a password is not NULL.
bool cqpdf_finish_write(
    cqpdf_finishing *finishing, const char *path, const char *user_password, const char *owner_password,
    cqpdf_permissions permissions, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#endif
