// libmagic, which recognizes file types by their content.
#include <magic.h>
