// libcrypt, which hashes passwords.
#include <crypt.h>
