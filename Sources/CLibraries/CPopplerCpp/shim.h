// poppler-cpp has only C++ headers; CSplash includes them.
