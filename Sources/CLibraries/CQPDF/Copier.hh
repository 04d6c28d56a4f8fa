// Copies objects from one document into the file that comes out.

#pragma once

#include <qpdf/QPDF.hh>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "SheetFile.hh"

/// Copies objects and all they refer to, each once.
///
/// What is referred to is written one after the other rather than by recursion: a chain of a million objects needs no
/// stack. Pages, page trees and catalogs are left out, so that one page never brings its whole document along. Stream
/// data is copied as it lies in the file, decrypted.
class Copier {
  public:
    explicit Copier(SheetFile &file) : file(file) {}

    /// The object as text in the new file: itself, or a reference to its copy, which `finish` writes.
    std::string copy(QPDFObjectHandle source);
    /// Writes all that was only referred to so far.
    void finish();

    /// Writes a new stream that has the data and filters of `source`, and other dictionary entries.
    int copyStream(QPDFObjectHandle source, std::string const &entries);

  private:
    void append(QPDFObjectHandle &source, std::string &text);
    void appendReference(QPDFObjectHandle &source, std::string &text);
    void appendContainer(QPDFObjectHandle &source, std::string &text);
    void writeStream(int object, QPDFObjectHandle &source, std::string entries);

    SheetFile &file;
    std::unordered_map<uint64_t, int> made;
    std::vector<std::pair<QPDFObjectHandle, int>> waiting;
};

inline uint64_t objectKey(QPDFObjGen object) {
    return uint64_t(uint32_t(object.getObj())) << 32 | uint32_t(object.getGen());
}

/// A name as it is written, with `#` before what a name cannot hold.
inline std::string nameText(std::string const &name) { return QPDFObjectHandle::newName(name).unparse(); }
