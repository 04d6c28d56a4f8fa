// What lies on a page besides its content.

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
    /// Where it leads within the document; if not, `action` says where.
    bool isInternal;
    Destination destination;
    QPDFObjectHandle action;
};

/// What is drawn for an annotation that prints.
struct Appearance {
    QPDFObjectHandle stream;
    QPDFObjectHandle annotation;
};

/// Returns whether an annotation is printed and has no appearance, or one that is out of date: that of a text or choice
/// field of a form which asks for new appearances (`NeedAppearances`, ISO 32000-1 §12.7.2).
bool lacksAppearance(QPDF &pdf, QPDFObjectHandle &annotation);

/// The links and the printing appearances of a page, in drawing order.
void readAnnotations(
    cqpdf_document &document, Page &page, std::vector<Link> &links, std::vector<Appearance> &appearances);

/// A destination with its page in front, and that page's index.
struct ExplicitDestination {
    size_t page;
    /// Null when the destination leads to no page of the document.
    QPDFObjectHandle array;
};

/// Looks up a destination by its name, if it has a name.
ExplicitDestination explicitDestination(cqpdf_document &document, QPDFObjectHandle value);

/// The dictionary entries of a link as it is on a side: moved by `matrix`, without its aim.
std::string placedLink(Link const &link, double const matrix[6]);
