// Reads the annotations of a page.

#pragma once

#include <cstdint>
#include <qpdf/QPDF.hh>
#include <string>
#include <vector>

#include "Document.hh"

/// A page as the target of a link.
struct Destination {
    size_t page;
    bool hasPoint;
    double x, y;
};

/// A link on a page.
struct Link {
    QPDFObjectHandle annotation;
    /// Whether the link leads to a page of the document; otherwise `action` is its target.
    bool isInternal;
    Destination destination;
    QPDFObjectHandle action;
};

/// The appearance of a printed annotation.
struct Appearance {
    QPDFObjectHandle stream;
    QPDFObjectHandle annotation;
};

/// Returns whether an annotation is printed and has no appearance or an outdated one. An appearance is outdated for a
/// text or choice field of a form that requires new appearances (`NeedAppearances`, ISO 32000-1 §12.7.2).
bool lacksAppearance(QPDF &pdf, QPDFObjectHandle &annotation);

/// Reads the links and the printed appearances of a page, in drawing order.
void readAnnotations(
    cqpdf_document &document, Page &page, std::vector<Link> &links, std::vector<Appearance> &appearances);

/// The index of a page, and a destination array that starts with this page.
struct ExplicitDestination {
    size_t page;
    /// Null if the destination is not a page of the document.
    QPDFObjectHandle array;
};

/// Resolves a destination, which may be a name.
ExplicitDestination explicitDestination(cqpdf_document &document, QPDFObjectHandle value);

/// Returns the dictionary entries of a link on a side: transformed by `matrix`, without its target.
std::string placedLink(Link const &link, double const matrix[6]);
