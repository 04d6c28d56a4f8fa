// PDF structure through libqpdf: what a document is, where its pages' boxes lie, and sides of sheets made of its pages.
//
// A door to C++, no more: what lands where is decided in Swift and comes here as a plan. No function lets an exception
// out; each that can fail takes a `cqpdf_status` and returns false or NULL when it has.

#ifndef CQPDF_H
#define CQPDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What went wrong.
typedef enum {
    CQPDF_OK = 0,
    /// The file cannot be opened or read.
    CQPDF_UNREADABLE,
    /// The document needs a password, or another one.
    CQPDF_PASSWORD,
    /// The document is damaged beyond repair.
    CQPDF_DAMAGED,
    /// The output cannot be written; `system_error` says why.
    CQPDF_UNWRITABLE,
    /// There is not enough memory.
    CQPDF_MEMORY,
    /// The caller asked to stop.
    CQPDF_CANCELED,
    /// Anything else: a mistake in this module or in libqpdf.
    CQPDF_INTERNAL,
} cqpdf_code;

/// How a call went.
typedef struct {
    cqpdf_code code;
    /// An errno value, or 0.
    int system_error;
    /// libqpdf's own words, cut to fit.
    char words[400];
} cqpdf_status;

/// An open document.
typedef struct cqpdf_document cqpdf_document;

/// How a page wants to be seen, inherited values included and impossible ones replaced.
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
    /// From the page's user space to the paper, in PDF's order.
    double matrix[6];
    /// What is shown, on the paper: left, bottom, width, height.
    double clip[4];
    /// The page is not moved or cut: its content can stay as it is.
    bool as_it_is;
} cqpdf_placement;

/// A run of placements that share a side.
typedef struct {
    size_t first, count;
} cqpdf_side;

/// A blank side, in `cqpdf_plan.order`.
#define CQPDF_BLANK UINT32_MAX

/// All that is to be made.
typedef struct {
    cqpdf_document *const *documents;
    size_t document_count;
    const cqpdf_placement *placements;
    size_t placement_count;
    const cqpdf_side *sides;
    size_t side_count;
    /// Indices into `sides`, or CQPDF_BLANK, as they are printed.
    const uint32_t *order;
    size_t order_count;
    /// The paper's size in points.
    double paper_width, paper_height;
    /// Whether several pages may share a side.
    bool shared_sides;
    /// A thin line around each page.
    bool border;
} cqpdf_plan;

/// Told how many sides have been laid out; returns false to stop.
typedef bool (*cqpdf_progress)(void *context, size_t done);

/// Opens a document without a password, then with the given one if it needs one; the file must stay as it is until it
/// is closed. Repairs what can be repaired.
cqpdf_document *cqpdf_open(const char *path, const char *password, cqpdf_status *status);
void cqpdf_close(cqpdf_document *document);

/// The number of pages as the document itself gives it, if that can be true; else as `cqpdf_page_count`.
/// Quick however many there are.
bool cqpdf_stated_page_count(cqpdf_document *document, size_t *count, cqpdf_status *status);
/// The number of pages in its page tree.
bool cqpdf_page_count(cqpdf_document *document, size_t *count, cqpdf_status *status);
/// How the first page wants to be seen; false without failure when there is none.
bool cqpdf_first_geometry(cqpdf_document *document, cqpdf_geometry *geometry, cqpdf_status *status);
/// How a page, from 0, wants to be seen; the pages must have been counted.
cqpdf_geometry cqpdf_page_geometry(const cqpdf_document *document, size_t page);
bool cqpdf_is_encrypted(const cqpdf_document *document);
/// The title as UTF-8, valid until the document is closed; NULL when there is none.
const char *cqpdf_title(cqpdf_document *document);
/// How many complaints libqpdf had so far, and its words for the first; valid until the next call.
size_t cqpdf_complaints(cqpdf_document *document, const char **first);

/// How many pages are missing from the page tree; pages with a notice take their places. The pages must have been counted.
size_t cqpdf_missing_pages(const cqpdf_document *document);

/// Whether a page, from 0, has annotations that are printed and have no appearance, or one that is out of date; the pages
/// must have been counted.
bool cqpdf_lacks_appearances(cqpdf_document *document, size_t page);
/// The subtype of such an annotation that renderers cannot draw from its entries, such as `Stamp`; NULL when the page, from
/// 0, has none. The pages must have been counted; valid until the next call.
const char *cqpdf_undrawable_annotation(cqpdf_document *document, size_t page);
/// Writes a PDF of some pages, from 0, that has nothing on them but these annotations. Each page has the box of its
/// original, and is neither turned nor scaled.
bool cqpdf_write_annotations(
    cqpdf_document *document, const size_t *pages, size_t count, const char *path, cqpdf_status *status);
/// Lays a page of another document of the plan over a page, in place of these annotations; false when there is no such
/// page. The overlay's lower left corner lies on that of the page's box.
bool cqpdf_set_overlay(cqpdf_document *document, size_t page, uint32_t overlay_document, size_t overlay_page);

/// Makes a PDF of the planned sides at `path`, which is overwritten.
bool cqpdf_impose(
    const cqpdf_plan *plan, const char *path, cqpdf_progress progress, void *context, cqpdf_status *status);

#ifdef __cplusplus
}
#endif

#include "CQPDFExtract.h"
#include "CQPDFFinish.h"

#endif
