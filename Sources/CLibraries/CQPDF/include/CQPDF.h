// PDF structure through libqpdf: document properties, page boxes, and imposition of pages on sides of sheets.
//
// A C interface to C++ code without layout decisions: Swift calculates the layout and passes it as a plan. No function
// throws an exception. A function that can fail has a parameter of type `cqpdf_status`, and returns false or NULL on
// failure.

#ifndef CQPDF_H
#define CQPDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The type of error.
typedef enum {
    CQPDF_OK = 0,
    /// The file cannot be opened or read.
    CQPDF_UNREADABLE,
    /// The document requires a password, or the password is wrong.
    CQPDF_PASSWORD,
    /// The document is damaged and cannot be repaired.
    CQPDF_DAMAGED,
    /// The output cannot be written; `system_error` is the reason.
    CQPDF_UNWRITABLE,
    /// There is not enough memory.
    CQPDF_MEMORY,
    /// The caller canceled the operation.
    CQPDF_CANCELED,
    /// The content does not conform to PDF/A.
    CQPDF_NONCONFORMING,
    /// Any other error: a bug in this module or in libqpdf.
    CQPDF_INTERNAL,
} cqpdf_code;

/// The result of a call.
typedef struct {
    cqpdf_code code;
    /// An errno value, or 0.
    int system_error;
    /// The message of libqpdf, truncated.
    char words[400];
} cqpdf_status;

/// An open document.
typedef struct cqpdf_document cqpdf_document;

/// The geometry of a page for display; includes inherited values, and replaces invalid values.
typedef struct {
    /// The crop box within the media box, in user space: left, bottom, right, top.
    double left, bottom, right, top;
    /// Clockwise quarter turns, 0 to 3.
    int turns;
    /// The size of a user space unit in points.
    double user_unit;
} cqpdf_geometry;

/// A page on a side of a sheet.
typedef struct {
    /// The index of the document in the plan.
    uint32_t document;
    /// The index of the page in the document, from 0.
    uint32_t page;
    /// The transform from the page's user space to the paper, in PDF's order.
    double matrix[6];
    /// The visible area on the paper: left, bottom, width, height.
    double clip[4];
    /// Whether the page is neither moved nor cropped, so that its content can stay unchanged.
    bool as_it_is;
    /// Whether the page is drawn over or under the other pages of its side, without a border and without a separate
    /// transparency group.
    bool is_overlay;
    /// Whether the colors of an overlay multiply with the colors beneath it.
    bool multiplies;
} cqpdf_placement;

/// A range of placements that share a side. They are drawn in this order.
typedef struct {
    size_t first, count;
} cqpdf_side;

/// A blank side, in `cqpdf_plan.order`.
#define CQPDF_BLANK UINT32_MAX

/// The layout of the document to make.
typedef struct {
    cqpdf_document *const *documents;
    size_t document_count;
    const cqpdf_placement *placements;
    size_t placement_count;
    const cqpdf_side *sides;
    size_t side_count;
    /// The sides in print order, as indices into `sides` or CQPDF_BLANK.
    const uint32_t *order;
    size_t order_count;
    /// The paper's size in points.
    double paper_width, paper_height;
    /// Whether several pages may share a side.
    bool shared_sides;
    /// The number of lines around each page: 0, 1 or 2.
    int border_lines;
    /// The width of such a line in points.
    double border_width;
} cqpdf_plan;

/// Receives the number of sides that are laid out; returns false to cancel.
typedef bool (*cqpdf_progress)(void *context, size_t done);

/// Opens a document without a password, or with the given password if it requires one. Repairs damage where possible.
/// The file must not change until the document is closed.
cqpdf_document *cqpdf_open(const char *path, const char *password, cqpdf_status *status);
void cqpdf_close(cqpdf_document *document);

/// Returns the number of pages according to the document if it is plausible, otherwise as `cqpdf_page_count`. Fast for
/// documents of any length.
bool cqpdf_stated_page_count(cqpdf_document *document, size_t *count, cqpdf_status *status);
/// Returns the number of pages in the page tree.
bool cqpdf_page_count(cqpdf_document *document, size_t *count, cqpdf_status *status);
/// Returns the geometry of the first page; false with status CQPDF_OK if there are no pages.
bool cqpdf_first_geometry(cqpdf_document *document, cqpdf_geometry *geometry, cqpdf_status *status);
/// Returns the geometry of a page, counted from 0; the pages must have been counted.
cqpdf_geometry cqpdf_page_geometry(const cqpdf_document *document, size_t page);
bool cqpdf_is_encrypted(const cqpdf_document *document);
/// Returns the title as UTF-8, valid until the document is closed; NULL if there is no title.
const char *cqpdf_title(cqpdf_document *document);
/// Returns the number of libqpdf's warnings so far, and the text of the first one; valid until the next call.
size_t cqpdf_complaints(cqpdf_document *document, const char **first);

/// Returns the number of pages missing from the page tree, which are replaced by pages with a notice. The pages must
/// have been counted.
size_t cqpdf_missing_pages(const cqpdf_document *document);

/// Returns whether a page, counted from 0, has printed annotations with no appearance or an outdated one. The pages
/// must have been counted.
bool cqpdf_lacks_appearances(cqpdf_document *document, size_t page);
/// Returns the subtype of such an annotation that renderers cannot draw from its entries, such as `Stamp`; NULL if the
/// page, counted from 0, has none. The pages must have been counted. Valid until the next call.
const char *cqpdf_undrawable_annotation(cqpdf_document *document, size_t page);
/// Writes a PDF of some pages, counted from 0, that contain only these annotations. Each page has the box of its
/// original, and is neither rotated nor scaled.
bool cqpdf_write_annotations(
    cqpdf_document *document, const size_t *pages, size_t count, const char *path, cqpdf_status *status);
/// Draws a page of another document of the plan over a page, in place of these annotations; false if the page does not
/// exist. The lower left corners of the overlay and of the page's box coincide.
bool cqpdf_set_overlay(cqpdf_document *document, size_t page, uint32_t overlay_document, size_t overlay_page);

/// Writes a PDF of the planned sides to `path`, which is overwritten.
bool cqpdf_impose(
    const cqpdf_plan *plan, const char *path, cqpdf_progress progress, void *context, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#include "CQPDFExtract.h"
#include "CQPDFFinish.h"
#include "CQPDFRead.h"

#endif
