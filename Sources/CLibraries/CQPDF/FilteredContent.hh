// Applies qpdf's token filters to content streams.

#pragma once

#include <qpdf/QPDFObjectHandle.hh>
#include <string>

/// Returns the content that a token filter writes for the given content.
std::string filtered(std::string const &content, QPDFObjectHandle::TokenFilter &filter);
