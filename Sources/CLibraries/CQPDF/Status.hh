// Converts exceptions to status values.

#pragma once

#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFSystemError.hh>
#include <string>

#include "CQPDF.h"

/// The caller canceled the operation.
struct Canceled {};

/// The content of the document does not conform to PDF/A.
struct Nonconforming {
    std::string reason;
};

inline void fail(cqpdf_status *status, cqpdf_code code, char const *words, int systemError = 0) {
    status->code = code;
    status->system_error = systemError;
    std::strncpy(status->words, words, sizeof(status->words) - 1);
    status->words[sizeof(status->words) - 1] = 0;
}

/// Runs `body`; returns false and sets `status` if it throws.
///
/// - Parameter usual: The code for errors of libqpdf that have no specific code.
template <typename Body> bool guarded(cqpdf_status *status, cqpdf_code usual, Body body) {
    fail(status, CQPDF_OK, "");
    try {
        body();
        return true;
    } catch (Canceled const &) {
        fail(status, CQPDF_CANCELED, "");
    } catch (Nonconforming const &error) {
        fail(status, CQPDF_NONCONFORMING, error.reason.c_str());
    } catch (QPDFExc const &error) {
        cqpdf_code code = error.getErrorCode() == qpdf_e_password ? CQPDF_PASSWORD : usual;
        fail(status, code, error.getMessageDetail().c_str());
    } catch (QPDFSystemError const &error) {
        fail(status, usual == CQPDF_UNWRITABLE ? CQPDF_UNWRITABLE : CQPDF_UNREADABLE, error.what(), error.getErrno());
    } catch (std::bad_alloc const &) {
        fail(status, CQPDF_MEMORY, "not enough memory");
    } catch (std::length_error const &error) {
        fail(status, CQPDF_MEMORY, error.what());
    } catch (std::exception const &error) {
        fail(status, usual, error.what());
    } catch (...) {
        fail(status, CQPDF_INTERNAL, "an unknown exception");
    }
    return false;
}
