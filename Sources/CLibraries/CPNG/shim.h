#include <png.h>
#include <libdeflate.h>
