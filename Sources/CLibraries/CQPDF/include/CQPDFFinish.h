// What a PDF gets once its pages are drawn: links, outline, attachments, pages of other documents, protection.

#ifndef CQPDFFINISH_H
#define CQPDFFINISH_H

#include "CQPDF.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A drawn document that is given more.
typedef struct cqpdf_finishing cqpdf_finishing;

/// What a document may be used for by who does not give its owner's password.
typedef struct {
    bool print, print_well, copy, change, comment, assemble;
} cqpdf_permissions;

/// Opens a drawn document; NULL when it cannot be read.
cqpdf_finishing *cqpdf_finish_open(const char *path, cqpdf_status *status);
void cqpdf_finish_close(cqpdf_finishing *finishing);

/// Makes a rectangle (left, bottom, right, top) of a page a link: to an address, or to a named destination if `uri` is
/// NULL. A link to a destination that the document does not have is left out.
bool cqpdf_finish_link(
    cqpdf_finishing *finishing, size_t page, const double rect[4], const char *uri, const char *destination,
    cqpdf_status *status);
/// Names a point of a page; a name given twice means the first.
bool cqpdf_finish_destination(
    cqpdf_finishing *finishing, const char *name, size_t page, double x, double y, cqpdf_status *status);
/// Adds an entry to the outline, below the last one of the level above.
bool cqpdf_finish_outline(
    cqpdf_finishing *finishing, const char *title, size_t level, size_t page, double x, double y,
    cqpdf_status *status);
/// Embeds a file.
bool cqpdf_finish_attachment(
    cqpdf_finishing *finishing, const char *name, const char *description, const char *type, const void *data,
    size_t size, cqpdf_status *status);
/// Sets one of a page's boxes, such as `/TrimBox`.
bool cqpdf_finish_box(
    cqpdf_finishing *finishing, size_t page, const char *key, const double rect[4], cqpdf_status *status);
/// Sets the document's XMP metadata.
bool cqpdf_finish_metadata(cqpdf_finishing *finishing, const void *data, size_t size, cqpdf_status *status);
/// Puts a page of another document in place of the image whose data hold a marker. The other document must stay open
/// until the document is written, and its pages must have been counted.
bool cqpdf_finish_form(
    cqpdf_finishing *finishing, const char *marker, cqpdf_document *source, size_t page, cqpdf_status *status);
/// Writes the document, encrypted (AES-256) when a password is not NULL.
bool cqpdf_finish_write(
    cqpdf_finishing *finishing, const char *path, const char *user_password, const char *owner_password,
    cqpdf_permissions permissions, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#endif
