// libcups: HTTP with TLS to printers; in tests the oracle of the IPP codec and of the raster formats.
#include <cups/cups.h>
#include <cups/raster.h>
