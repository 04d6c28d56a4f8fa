// Determines which layers (optional content) are printed.

#pragma once

#include <map>
#include <qpdf/QPDF.hh>
#include <string>
#include <vector>

/// The layers of a document and their state when the document is printed (ISO 32000-1 §8.11).
class Layers {
  public:
    /// Reads the layers, and removes the entries from which a renderer could determine another state.
    explicit Layers(QPDF &pdf);

    /// All layers of the document.
    std::vector<QPDFObjectHandle> all;
    /// The layers that are not printed.
    std::vector<QPDFObjectHandle> off;

    /// Returns whether content is printed whose entry `OC` is a layer or a membership dictionary.
    bool prints(QPDFObjectHandle membership) const;
    /// Returns whether content that uses these resources can contain marked content that is not printed.
    bool hide(QPDFObjectHandle resources) const;
    /// Returns content in which the marked content of unprinted layers draws nothing, but changes the graphics state as
    /// before.
    std::string printedContent(std::string const &content, QPDFObjectHandle resources) const;

  private:
    bool evaluate(QPDFObjectHandle expression, int depth) const;

    std::map<QPDFObjGen, bool> isOn;
};
