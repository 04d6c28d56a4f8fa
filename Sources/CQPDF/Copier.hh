// Copies objects from one document into another.

#pragma once

#include <memory>
#include <qpdf/QPDF.hh>
#include <unordered_map>
#include <utility>
#include <vector>

/// Copies objects and all they refer to into another document, each once; stream data stays in its file until written.
///
/// Does what `QPDF::copyForeignObject` does, without its recursion: a chain of a million objects needs no stack. Pages,
/// page trees and catalogs are left out, so that one page never brings its whole document along.
class Copier {
  public:
    explicit Copier(QPDF &to);

    /// The copy of an object; complete after `finish`.
    QPDFObjectHandle copy(QPDFObjectHandle source);
    /// Copies all that was only referred to so far.
    void finish();

    /// A new stream that has the data of `source` and the given dictionary, whose filters are taken from the source.
    QPDFObjectHandle copyStream(QPDFObjectHandle source, std::map<std::string, QPDFObjectHandle> dictionary);

  private:
    class Data;

    QPDFObjectHandle reference(QPDFObjectHandle &source);
    QPDFObjectHandle copyContainer(QPDFObjectHandle &source);

    QPDF &to;
    std::shared_ptr<Data> data;
    std::unordered_map<uint64_t, QPDFObjectHandle> made;
    std::vector<std::pair<QPDFObjectHandle, QPDFObjectHandle>> waiting;
};
