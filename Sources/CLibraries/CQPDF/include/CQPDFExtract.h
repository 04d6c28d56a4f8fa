// Some pages of a document as a document.

#ifndef CQPDFEXTRACT_H
#define CQPDFEXTRACT_H

#include "CQPDF.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes chosen pages, by their numbers from 0, into a new document at `path`, which is overwritten.
///
/// Pages keep their content, links, other annotations and form fields. A link within the document is left out when its
/// page is not chosen. Outline, attachments and encryption stay behind.
bool cqpdf_extract(
    cqpdf_document *document, const size_t *pages, size_t count, const char *path, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#endif
