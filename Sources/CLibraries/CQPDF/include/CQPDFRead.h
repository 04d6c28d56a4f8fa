// Reads the properties, boxes, outline, links and attachments of a document.

#ifndef CQPDFREAD_H
#define CQPDFREAD_H

#include "CQPDF.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The target of a link or an outline entry.
typedef struct {
    /// The URI in UTF-8, or NULL.
    const char *uri;
    /// The index of the page, or -1 if the target is no page of the document.
    int64_t page;
    /// The coordinates on the page, in user space; NaN if the target has no such coordinate.
    double x, y;
} cqpdf_target;

/// Receives a property; both texts are UTF-8.
typedef void (*cqpdf_property)(void *context, const char *key, const char *text);
/// Receives an entry of the outline, in order; `level` is 0 at the top.
typedef void (*cqpdf_outline_entry)(void *context, size_t level, const char *title, const cqpdf_target *target);
/// Receives a link with its rectangle in user space: left, bottom, right, top.
typedef void (*cqpdf_link)(void *context, const double rect[4], const cqpdf_target *target);
/// Receives an attachment; texts that are missing are empty.
typedef void (*cqpdf_attachment)(
    void *context, const char *name, const char *description, const char *type, const char *relationship);
/// Receives bytes.
typedef void (*cqpdf_bytes)(void *context, const void *data, size_t size);

/// Reads the text entries of the information dictionary, and `/Lang` of the catalog.
bool cqpdf_properties(cqpdf_document *document, void *context, cqpdf_property receive, cqpdf_status *status);
/// Reads the XMP metadata; receives nothing if there is none.
bool cqpdf_metadata(cqpdf_document *document, void *context, cqpdf_bytes receive, cqpdf_status *status);
/// Returns a box of a page, such as `/TrimBox`, which can be inherited: left, bottom, right, top. Returns false if the
/// page has no valid box with this key. The pages must have been counted.
bool cqpdf_page_box(cqpdf_document *document, size_t page, const char *key, double box[4]);
/// Reads the outline. The pages must have been counted.
bool cqpdf_outline(cqpdf_document *document, void *context, cqpdf_outline_entry receive, cqpdf_status *status);
/// Reads the links of a page that lead to a URI or a page. The pages must have been counted.
bool cqpdf_links(
    cqpdf_document *document, size_t page, void *context, cqpdf_link receive, cqpdf_status *status);
/// Reads the list of attachments.
bool cqpdf_attachments(cqpdf_document *document, void *context, cqpdf_attachment receive, cqpdf_status *status);
/// Reads the data of the attachment with the given name; receives nothing if there is no such attachment.
bool cqpdf_attachment_data(
    cqpdf_document *document, const char *name, void *context, cqpdf_bytes receive, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#endif
