// Completes documents for archives: properties, output intents and PDF/A.

#include "FilteredContent.hh"
#include "Finishing.hh"
#include "Status.hh"

namespace {

using Handle = QPDFObjectHandle;

/// Finds operators and names of DeviceCMYK in a content stream.
class CMYKFinder : public QPDFObjectHandle::TokenFilter {
  public:
    bool isFound = false;

    void handleToken(QPDFTokenizer::Token const &token) override {
        auto type = token.getType();
        auto &value = token.getValue();
        if (type == QPDFTokenizer::tt_word && (value == "k" || value == "K")) isFound = true;
        if (type == QPDFTokenizer::tt_name && value == "/DeviceCMYK") isFound = true;
    }
};

/// Prepares each object of a document for PDF/A (ISO 19005-2 and ISO 19005-3).
class Archivist {
  public:
    void check(Handle object) {
        if (object.isStream()) {
            checkStream(object);
            visit(object.getDict());
        } else {
            visit(object);
        }
    }

    bool readsContent = false;

  private:
    /// Visits a direct object and the direct objects that it contains.
    void visit(Handle object) {
        if (object.isArray()) {
            for (auto &item : object.getArrayAsVector()) visitPart(item);
        } else if (object.isDictionary()) {
            checkDictionary(object);
            for (auto &key : object.getKeys()) visitPart(object.getKey(key));
        } else if (object.isNameAndEquals("/DeviceCMYK")) {
            throw Nonconforming{"an image or a page has CMYK colors; convert them to RGB"};
        }
    }

    void visitPart(Handle part) {
        if (!part.isIndirect()) visit(part);
    }

    void checkDictionary(Handle dictionary) {
        auto subtype = dictionary.getKey("/Subtype");
        if (dictionary.getKey("/Type").isNameAndEquals("/Font") && !subtype.isNameAndEquals("/Type0") &&
            !subtype.isNameAndEquals("/Type3")) {
            checkFont(dictionary);
        }
        auto action = dictionary.getKey("/S");
        for (auto name : {"/JavaScript", "/Launch", "/Sound", "/Movie", "/ResetForm", "/ImportData", "/Rendition"}) {
            if (action.isNameAndEquals(name)) throw Nonconforming{std::string("an action is of the type ") + name};
        }
        if (dictionary.hasKey("/TR") && !dictionary.getKey("/TR").isNameAndEquals("/Identity")) {
            throw Nonconforming{"a page has a transfer function"};
        }
    }

    void checkFont(Handle font) {
        auto name = font.getKey("/BaseFont");
        auto descriptor = font.getKey("/FontDescriptor");
        bool isEmbedded = descriptor.isDictionary() &&
            (descriptor.getKey("/FontFile").isStream() || descriptor.getKey("/FontFile2").isStream() ||
             descriptor.getKey("/FontFile3").isStream());
        if (!isEmbedded) {
            throw Nonconforming{
                "the font '" + (name.isName() ? name.getName().substr(1) : "without a name") +
                "' of a placed page is not embedded"};
        }
        if (font.getKey("/Subtype").isNameAndEquals("/CIDFontType2") && !font.hasKey("/CIDToGIDMap")) {
            font.replaceKey("/CIDToGIDMap", Handle::newName("/Identity"));
        }
    }

    void checkStream(Handle stream) {
        auto dictionary = stream.getDict();
        if (dictionary.hasKey("/F")) throw Nonconforming{"a stream refers to another file"};
        auto subtype = dictionary.getKey("/Subtype");
        if (subtype.isNameAndEquals("/PS")) throw Nonconforming{"a placed page contains PostScript"};
        for (auto key : {"/OPI", "/Ref", "/Alternates"}) {
            if (dictionary.hasKey(key)) throw Nonconforming{std::string("a placed page has the entry ") + key};
        }
        if (subtype.isNameAndEquals("/Image")) dictionary.removeKey("/Interpolate");
        if (readsContent && subtype.isNameAndEquals("/Form")) {
            auto data = stream.getStreamData(qpdf_dl_generalized);
            CMYKFinder finder;
            filtered(std::string(reinterpret_cast<char const *>(data->getBuffer()), data->getSize()), finder);
            if (finder.isFound) throw Nonconforming{"a placed page has CMYK colors; convert them to RGB"};
        }
    }
};

}  // namespace

void cqpdf_finishing::makeArchive() {
    auto names = pdf.getRoot().getKey("/Names");
    if (!allowsAttachments && names.isDictionary() && names.hasKey("/EmbeddedFiles")) {
        throw Nonconforming{"the document has attachments; write it as PDF/A-3b"};
    }
    Archivist archivist;
    archivist.readsContent = hasForms;
    for (auto &object : pdf.getAllObjects()) archivist.check(object);
}

bool cqpdf_finish_property(cqpdf_finishing *finishing, const char *key, const char *text, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto trailer = finishing->pdf.getTrailer();
        if (!trailer.getKey("/Info").isDictionary()) {
            trailer.replaceKey("/Info", finishing->pdf.makeIndirectObject(Handle::newDictionary()));
        }
        trailer.getKey("/Info").replaceKey(key, Handle::newUnicodeString(text));
    });
}

bool cqpdf_finish_reading(
    cqpdf_finishing *finishing, const char *language, bool shows_title, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto root = finishing->pdf.getRoot();
        if (language) root.replaceKey("/Lang", Handle::newUnicodeString(language));
        if (!shows_title) return;
        root.replaceKey("/ViewerPreferences", Handle::parse("<< /DisplayDocTitle true >>"));
    });
}

bool cqpdf_finish_output_intent(
    cqpdf_finishing *finishing, const void *profile, size_t size, int components, const char *condition,
    cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto stream = Handle::newStream(&finishing->pdf, std::string(static_cast<char const *>(profile), size));
        stream.getDict().replaceKey("/N", Handle::newInteger(components));
        auto intent = Handle::parse("<< /Type /OutputIntent /S /GTS_PDFA1 >>");
        intent.replaceKey("/OutputConditionIdentifier", Handle::newUnicodeString(condition));
        intent.replaceKey("/Info", Handle::newUnicodeString(condition));
        intent.replaceKey("/DestOutputProfile", stream);
        finishing->pdf.getRoot().replaceKey("/OutputIntents", Handle::newArray({intent}));
    });
}

void cqpdf_finish_archive(cqpdf_finishing *finishing, bool allows_attachments) {
    finishing->isArchive = true;
    finishing->allowsAttachments = allows_attachments;
}
