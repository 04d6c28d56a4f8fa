// GnuTLS: encrypts connections, creates self-signed certificates, verifies the certificates of peers, and calculates
// digests.
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <gnutls/crypto.h>
