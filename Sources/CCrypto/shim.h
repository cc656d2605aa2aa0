#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <string.h>

/* Parameters keep the pointers of their names and values, which Swift's bridged strings do not outlive: hence in C. */

/* Begins AES-128-CMAC under a key of sixteen octets. 1 is success. */
static inline int ccrypto_cmac_init(EVP_MAC_CTX *context, const unsigned char *key) {
  char cipher[] = "AES-128-CBC";
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
                             OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key, 16, parameters);
}

/* A key on P-256 from its uncompressed point of 65 octets and, for signing, its scalar. NULL is failure. */
static inline EVP_PKEY *ccrypto_p256_key(const unsigned char *point, const BIGNUM *scalar) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM *parameters = NULL;
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (builder && context && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) &&
      OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, 65) &&
      (!scalar || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar)) &&
      (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1)
    EVP_PKEY_fromdata(context, &key, scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  return key;
}

/* A key that both ends of a channel have, handed to OpenSSL when it asks for it. TLS 1.3 takes keys of this form with
   SHA-256 only (SSL_CTX_set_psk_server_callback(3)). */
typedef struct {
  unsigned char octets[32];
} ccrypto_shared_key;

static inline unsigned int ccrypto_server_key(SSL *session, const char *identity, unsigned char *key, unsigned int limit) {
  const ccrypto_shared_key *shared = (const ccrypto_shared_key *)SSL_get_app_data(session);
  if (!shared || !identity || strcmp(identity, "dictobench") != 0 || limit < sizeof shared->octets) return 0;
  memcpy(key, shared->octets, sizeof shared->octets);
  return sizeof shared->octets;
}

static inline unsigned int ccrypto_client_key(SSL *session, const char *hint, char *identity, unsigned int identity_limit,
                                              unsigned char *key, unsigned int limit) {
  const ccrypto_shared_key *shared = (const ccrypto_shared_key *)SSL_get_app_data(session);
  (void)hint;
  if (!shared || identity_limit < sizeof "dictobench" || limit < sizeof shared->octets) return 0;
  memcpy(identity, "dictobench", sizeof "dictobench");
  memcpy(key, shared->octets, sizeof shared->octets);
  return sizeof shared->octets;
}

/* A session of TLS 1.3 between ends that share a key, over two BIOs in memory. NULL is failure. `key` must outlive it. */
static inline SSL *ccrypto_channel(int is_server, const ccrypto_shared_key *key, BIO *incoming, BIO *outgoing) {
  SSL *session = NULL;
  SSL_CTX *context = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
  if (context && SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
      SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256") == 1 &&
      SSL_CTX_set_num_tickets(context, 0) == 1) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    if (is_server)
      SSL_CTX_set_psk_server_callback(context, ccrypto_server_key);
    else
      SSL_CTX_set_psk_client_callback(context, ccrypto_client_key);
    session = SSL_new(context);
  }
  SSL_CTX_free(context);
  if (!session) return NULL;
  SSL_set_app_data(session, (void *)key);
  SSL_set_bio(session, incoming, outgoing);
  if (is_server)
    SSL_set_accept_state(session);
  else
    SSL_set_connect_state(session);
  return session;
}
