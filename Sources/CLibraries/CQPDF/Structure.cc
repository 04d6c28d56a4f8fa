// Completes the structure of tagged documents.

#include "Finishing.hh"
#include "Status.hh"

namespace {

using Handle = QPDFObjectHandle;
using Token = QPDFTokenizer::Token;

/// Marks drawing without a tag as an artifact (ISO 32000-1 §14.8.2.2), so that reading programs skip it.
class ArtifactFilter : public QPDFObjectHandle::TokenFilter {
  public:
    void handleToken(Token const &token) override {
        if (token.getType() == QPDFTokenizer::tt_word) {
            handleOperator(token);
        } else if (token.getType() == QPDFTokenizer::tt_inline_image) {
            flush();
            writeToken(token);
        } else {
            pending.push_back(token);
        }
    }

    void handleEOF() override { flush(); }

  private:
    /// The operand tokens after the last operator.
    std::vector<Token> pending;
    /// The number of open tags.
    size_t depth = 0;
    /// The operator that ends the open artifact; `path` for any operator that paints a path.
    enum class Artifact { none, path, text, image } open = Artifact::none;

    void flush() {
        for (auto &token : pending) writeToken(token);
        pending.clear();
    }

    void handleOperator(Token const &token) {
        auto &name = token.getValue();
        if (name == "BDC" || name == "BMC") {
            depth++;
        } else if (name == "EMC" && depth > 0) {
            depth--;
        } else if (depth == 0 && open == Artifact::none) {
            if (name == "m" || name == "re") begin(Artifact::path);
            if (name == "BT") begin(Artifact::text);
            if (name == "BI") begin(Artifact::image);
            if (name == "Do" || name == "sh") {
                begin(Artifact::none);
                flush();
                writeToken(token);
                write(" EMC");
                return;
            }
        }
        flush();
        writeToken(token);
        bool isPainted = name == "f" || name == "f*" || name == "F" || name == "S" || name == "s" || name == "B" ||
            name == "B*" || name == "b" || name == "b*" || name == "n";
        if ((open == Artifact::path && isPainted) || (open == Artifact::text && name == "ET") ||
            (open == Artifact::image && name == "EI")) {
            write(" EMC");
            open = Artifact::none;
        }
    }

    void begin(Artifact artifact) {
        // The operands follow white space, which ends the operator before.
        write("\n/Artifact BMC\n");
        open = artifact;
    }
};

/// Returns the structure elements in the order in which they begin.
void collect(Handle element, std::vector<Handle> &found) {
    std::vector<Handle> stack{element};
    while (!stack.empty()) {
        auto next = stack.back();
        stack.pop_back();
        if (next.isArray()) {
            auto items = next.getArrayAsVector();
            stack.insert(stack.end(), items.rbegin(), items.rend());
        } else if (next.isDictionary() && next.hasKey("/S")) {
            found.push_back(next);
            stack.push_back(next.getKey("/K"));
        }
    }
}

}  // namespace

bool cqpdf_finish_structure(
    cqpdf_finishing *finishing, size_t count, const char *const *alternatives, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto root = finishing->pdf.getRoot();
        root.replaceKey("/MarkInfo", Handle::parse("<< /Marked true >>"));
        auto tree = root.getKey("/StructTreeRoot");
        if (!tree.isDictionary()) {
            tree = finishing->pdf.makeIndirectObject(Handle::parse("<< /Type /StructTreeRoot >>"));
            root.replaceKey("/StructTreeRoot", tree);
        }
        auto children = tree.getKey("/K");
        if (!children.isArray()) children = children.isNull() ? Handle::newArray() : Handle::newArray({children});
        std::vector<Handle> elements;
        collect(children, elements);
        if (elements.size() != count) throw std::runtime_error("the document has not all tags");
        for (size_t index = 0; index < count; index++) {
            if (alternatives[index]) elements[index].replaceKey("/Alt", Handle::newUnicodeString(alternatives[index]));
        }
        auto whole = finishing->pdf.makeIndirectObject(Handle::parse("<< /Type /StructElem /S /Document >>"));
        whole.replaceKey("/P", tree);
        for (auto &child : children.getArrayAsVector()) child.replaceKey("/P", whole);
        whole.replaceKey("/K", children);
        tree.replaceKey("/K", whole);
        for (auto &page : finishing->pages) {
            page.getObjectHandle().replaceKey("/Tabs", Handle::newName("/S"));
            page.addContentTokenFilter(std::shared_ptr<QPDFObjectHandle::TokenFilter>(new ArtifactFilter));
        }
    });
}
