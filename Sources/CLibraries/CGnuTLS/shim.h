// GnuTLS: makes the certificates that printers give themselves, and checks those that they show; digests.
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <gnutls/crypto.h>
