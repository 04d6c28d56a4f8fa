// Copies objects from a document into the output file.

#pragma once

#include <qpdf/QPDF.hh>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "Layers.hh"
#include "SheetFile.hh"

/// Copies objects and all objects that they refer to, each object once.
///
/// Referenced objects are written iteratively instead of recursively, so that a chain of a million objects needs no
/// stack. Pages, page trees and catalogs are omitted, so that copying one page never copies its whole document. Stream
/// data is copied in its stored form, decrypted. Forms and images of layers that are not printed are copied without
/// their content.
class Copier {
  public:
    Copier(SheetFile &file, Layers const &layers) : file(file), layers(layers) {}

    /// Returns the object as text for the new file: the object itself, or a reference to its copy, which `finish`
    /// writes.
    std::string copy(QPDFObjectHandle source);
    /// Writes all objects that were only referenced so far.
    void finish();

    /// Writes a new stream with compressed data.
    int addCompressed(std::string const &entries, std::string const &content);

    /// Writes a new stream with the data and filters of `source`, and with other dictionary entries.
    int copyStream(QPDFObjectHandle source, std::string const &entries);

  private:
    void append(QPDFObjectHandle &source, std::string &text);
    void appendReference(QPDFObjectHandle &source, std::string &text);
    void appendContainer(QPDFObjectHandle &source, std::string &text);
    void writeCompressed(int object, std::string const &entries, std::string const &content);
    void writeStream(int object, QPDFObjectHandle &source, std::string entries);

    SheetFile &file;
    Layers const &layers;
    std::unordered_map<uint64_t, int> made;
    std::vector<std::pair<QPDFObjectHandle, int>> waiting;
};

inline uint64_t objectKey(QPDFObjGen object) {
    return uint64_t(uint32_t(object.getObj())) << 32 | uint32_t(object.getGen());
}

/// Returns a name in PDF notation, with `#` escapes for special characters.
inline std::string nameText(std::string const &name) { return QPDFObjectHandle::newName(name).unparse(); }
