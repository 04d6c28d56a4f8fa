// GnuTLS: makes the certificates that printers give themselves.
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
