#include "FilteredContent.hh"

#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_QPDFTokenizer.hh>

std::string filtered(std::string const &content, QPDFObjectHandle::TokenFilter &filter) {
    Pl_Buffer result("contents");
    Pl_QPDFTokenizer tokenizer("contents", &filter, &result);
    tokenizer.write(reinterpret_cast<unsigned char const *>(content.data()), content.size());
    tokenizer.finish();
    auto bytes = result.getBufferSharedPointer();
    return std::string(reinterpret_cast<char const *>(bytes->getBuffer()), bytes->getSize());
}
