// libqpdf speaks C++; this module only says that it must be there. CQPDF talks to it.
