// poppler-cpp has headers of C++ only; CSplash includes them.
