// uchardet, which recognizes the encoding of a text by its letters.
#include <uchardet.h>
