// Extracts pages of a document into a new document.

#ifndef CQPDFEXTRACT_H
#define CQPDFEXTRACT_H

#include "CQPDF.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes selected pages, by their indices from 0, into a new document at `path`, which is overwritten.
///
/// Pages keep their content, links, other annotations and form fields. A link to a page that is not selected is
/// omitted. Outline, attachments and encryption are not copied.
bool cqpdf_extract(
    cqpdf_document *document, const size_t *pages, size_t count, const char *path, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#endif
