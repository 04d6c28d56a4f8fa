// libcups: in tests the oracle of the IPP codec.
#include <cups/cups.h>
