// Adds links, outline, attachments, pages of other documents, and encryption to a PDF after its pages are drawn.

#ifndef CQPDFFINISH_H
#define CQPDFFINISH_H

#include "CQPDF.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the number of components of the color for which a marker color stands, and the components; 0 for a color
/// that is no marker. Markers have components from 0 to 65535. `profile` is the number of the profile, or -1 for
/// DeviceCMYK.
typedef int (*cqpdf_marked)(uint16_t red, uint16_t green, uint16_t blue, double components[4], int *profile);

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
///
/// `relationship` is an `AFRelationship` such as `Alternative`, or NULL for a file that is not associated with the
/// document. `date` is the modification date in PDF's form.
bool cqpdf_finish_attachment(
    cqpdf_finishing *finishing, const char *name, const char *description, const char *type, const char *relationship,
    const char *date, const void *data, size_t size, cqpdf_status *status);
/// Sets a box of a page, such as `/TrimBox`.
bool cqpdf_finish_box(
    cqpdf_finishing *finishing, size_t page, const char *key, const double rect[4], cqpdf_status *status);
/// Sets the document's XMP metadata.
bool cqpdf_finish_metadata(cqpdf_finishing *finishing, const void *data, size_t size, cqpdf_status *status);
/// Replaces the image whose data contains a marker by a page of another document. The other document must stay open
/// until the document is written, and its pages must have been counted.
bool cqpdf_finish_form(
    cqpdf_finishing *finishing, const char *marker, cqpdf_document *source, size_t page, cqpdf_status *status);
/// Sets a text of the information dictionary, such as `/Title`.
bool cqpdf_finish_property(cqpdf_finishing *finishing, const char *key, const char *text, cqpdf_status *status);
/// Sets the language (NULL for none), and whether readers show the title instead of the file name.
bool cqpdf_finish_reading(
    cqpdf_finishing *finishing, const char *language, bool shows_title, cqpdf_status *status);
/// Marks the document as tagged, puts its structure below one element `Document`, and marks drawing without a tag as
/// artifacts. `count` is the number of tags, and `alternatives` contains a text for each tag in place of its content,
/// or NULL.
bool cqpdf_finish_structure(
    cqpdf_finishing *finishing, size_t count, const char *const *alternatives, cqpdf_status *status);
/// Adds an output intent with an ICC profile of the given number of components.
bool cqpdf_finish_output_intent(
    cqpdf_finishing *finishing, const void *profile, size_t size, int components, const char *condition,
    cqpdf_status *status);
/// Adds an ICC profile with a number, for marker colors.
bool cqpdf_finish_profile(
    cqpdf_finishing *finishing, int number, const void *profile, size_t size, int components, cqpdf_status *status);
/// Writes the colors for which marker colors stand, if `marked` is not NULL, and colors with equal red, green and blue
/// as gray if `writes_gray`. Call this function before the pages of other documents are placed.
bool cqpdf_finish_colors(
    cqpdf_finishing *finishing, cqpdf_marked marked, bool writes_gray, cqpdf_status *status);
/// Makes the document conform to PDF/A-2b, or PDF/A-3b with attachments. Writing then fails with CQPDF_NONCONFORMING
/// for content that PDF/A does not allow.
void cqpdf_finish_archive(cqpdf_finishing *finishing, bool allows_attachments);
/// Writes the document, encrypted with AES-256 if a password is not NULL.
bool cqpdf_finish_write(
    cqpdf_finishing *finishing, const char *path, const char *user_password, const char *owner_password,
    cqpdf_permissions permissions, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#endif
