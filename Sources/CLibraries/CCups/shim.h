// libcups: HTTP with TLS to printers. Tests compare the IPP codec and the raster formats with libcups.
#include <cups/cups.h>
#include <cups/raster.h>
