import { codeOf } from '../../files/errors.ts'

/** Errors that the user can act on, by code. */
const texts: Array<[code: RegExp, text: string]> = [
  [/^ADDRESS_REFUSED$/, 'the name has an address that is not public'],
  [/^PROXY_REFUSED$/, 'the egress proxy refused the connection'],
  [/^PROXY_FAILED$/, 'the egress proxy cannot be reached'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|EFORMERR|EBADRESP|ECANCELLED)$/, 'the name cannot be resolved'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/, 'the host cannot be reached'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'connection closed before an answer'],
  [/^HPE_HEADER_OVERFLOW$/, 'the headers of the answer are too large'],
  [/^HPE_|PARSE|^TOO_MANY_INTERIM_ANSWERS$|^UPGRADED$/, 'the answer is not valid HTTP'],
  [/^(ERR_INVALID_CHAR|ERR_INVALID_HTTP_TOKEN|ERR_HTTP_INVALID_HEADER_VALUE)$/, 'the request has an invalid header'],
  [/^(ERR_SSL_\w+|EPROTO)$/, 'no TLS connection'],
  [/^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)_\w+$/, 'the TLS certificate is not valid ({code})']
]

/**
 * Describes why a request has no answer, without addresses and stacks.
 * @param error an error with a code of Node or of this folder
 */
export function failureText (error: unknown): string {
  const code = codeOf(error) ?? ''
  const [, text] = texts.find(([pattern]) => pattern.test(code)) ?? [undefined, 'the request failed']
  return text.replace('{code}', code)
}
