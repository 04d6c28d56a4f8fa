// Writing the imposed document, and the C function that makes it.

#include <fcntl.h>
#include <qpdf/Pipeline.hh>
#include <qpdf/QPDFWriter.hh>
#include <unistd.h>

#include "Imposer.hh"
#include "Status.hh"

namespace {

/// A file that libqpdf writes to, in large pieces, and whose errors keep their number.
class OutputFile : public Pipeline {
  public:
    OutputFile(char const *path, cqpdf_progress progress, void *context, size_t done)
        : Pipeline("output", nullptr), progress(progress), context(context), done(done) {
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0) throw WriteFailure{errno};
        buffer.reserve(capacity);
    }
    ~OutputFile() override {
        if (file >= 0) ::close(file);
    }

    void write(unsigned char const *data, size_t size) override {
        if (buffer.size() + size > capacity) flush();
        if (size > capacity) {
            send(data, size);
        } else {
            buffer.insert(buffer.end(), data, data + size);
        }
    }
    void finish() override {}

    void close() {
        flush();
        int result = ::close(file);
        file = -1;
        if (result != 0) throw WriteFailure{errno};
    }

  private:
    void flush() {
        if (progress && !progress(context, done)) throw Canceled();
        send(buffer.data(), buffer.size());
        buffer.clear();
    }
    void send(unsigned char const *data, size_t size) {
        while (size > 0) {
            auto written = ::write(file, data, size);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) throw WriteFailure{written < 0 ? errno : EIO};
            data += written;
            size -= size_t(written);
        }
    }

    static constexpr size_t capacity = 1 << 18;
    int file;
    std::vector<unsigned char> buffer;
    cqpdf_progress progress;
    void *context;
    size_t done;
};

}  // namespace

void Imposer::write(char const *path, cqpdf_progress progress, void *context) {
    OutputFile file(path, progress, context, plan.order_count);
    QPDFWriter writer(out);
    writer.setOutputPipeline(&file);
    // Streams keep their bytes: taking them apart to pack them again is most of the time, for nothing.
    writer.setStreamDataMode(qpdf_s_preserve);
    writer.setObjectStreamMode(qpdf_o_disable);
    for (size_t index = 0; index < plan.document_count; index++) {
        auto version = plan.documents[index]->pdf.getVersionAsPDFVersion();
        writer.setMinimumPDFVersion(version);
    }
    writer.write();
    file.close();
}

bool cqpdf_impose(
    const cqpdf_plan *plan, const char *path, cqpdf_progress progress, void *context, cqpdf_status *status) {
    int writeError = 0;
    bool done = guarded(status, CQPDF_DAMAGED, [&] {
        Imposer imposer(*plan);
        imposer.build(progress, context);
        try {
            imposer.write(path, progress, context);
        } catch (WriteFailure const &failure) {
            writeError = failure.error;
        }
    });
    if (!done || writeError == 0) return done;
    fail(status, CQPDF_UNWRITABLE, std::strerror(writeError), writeError);
    return false;
}
