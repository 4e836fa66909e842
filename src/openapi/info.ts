import manifest from '../../package.json' with { type: 'json' }

/** The `info` object of the document. */
export const info = {
  title: 'Obra',
  version: manifest.version,
  summary: manifest.description,
  contact: { name: 'Maintainers of Obra, see SECURITY.md and CONTRIBUTING.md of the repository' },
  license: { name: manifest.license, identifier: manifest.license },
  description: `
Obra manages the contracts of construction companies, with catalogues, change orders, measurements, estimates and payments. A customer
owns companies. A user is a member of companies and has one active company; the business endpoints show only its records.

**First requests.** \`POST /api/v1/api-token-auth/\` with \`email\` and \`password\` returns an access token (1 hour) and a refresh token
(7 days). Send \`Authorization: Bearer <access>\` with every other request to the API. \`POST /api/v1/api-token-refresh/\` exchanges the
refresh token for a new pair.

**Levels.** 1 Auxiliar, 2 Coordinador and 3 Director are levels of a user in a company. 4 Corporativo, 5 Soporte and 6 Superusuario are
levels of the account. Each operation lists its levels in its description and in \`x-nivel-acceso\`.

**URLs** end with a slash, but work without it. \`HEAD\` works like \`GET\`, without a body. \`OPTIONS\` returns 204 with \`Allow\`. Both
describe a resumable upload at \`adjuntos/{id}/contenido/\`. A method that a URL does not support returns 405 with \`Allow\` and the code
\`method_not_allowed\`.

**Errors.** A 400 has \`detail\` and \`errors\`, by field. Every other error has \`detail\` and \`code\`. Messages are in English or
Spanish, as \`Accept-Language\` requests; \`code\` is the same in both.

**Bodies** are JSON. Amounts and percentages are decimal strings with two decimals. Requests may also have JSON numbers, which are never
rounded: more than two decimals, or an exponent, are refused. Text is trimmed and normalized to Unicode NFC, and invisible characters
(such as U+200B and U+FEFF) are removed, before its length is checked.
Unknown fields are refused. Read-only fields of answers are not in the schemas of bodies. They are accepted and ignored, so you can
change the answer of a GET and send it with PUT.

**Some fields.** With the parameter \`fields\`, an answer has only these fields: its schema is the second one of the operation, such as
\`PartialContract\`.

**Input types** are lenient, as in Django REST Framework: a number for a string, digits in a string for an integer or an id, \`1\`,
\`"true"\` or \`"True"\` for a boolean, a UUID without hyphens. Answers always have the types of this document.

**Lists** have pages: \`count\`, \`next\`, \`previous\`, \`results\`. Follow \`next\` unchanged: its cursor neither skips nor repeats
records while others write.

**Conditional requests.** A GET returns an \`ETag\`. With it in \`If-None-Match\`, an unchanged answer is 304. With it in \`If-Match\`, a
write returns 412 if the record has changed.

**Versions.** Within version 1, releases only add. An operation, parameter or field that goes away is first marked as \`deprecated\`, for at
least 12 months; its description names the replacement. Ignore fields of answers that you do not know.

**Webhooks.** The section \`webhooks\` has the deliveries to your own system, which follow [Standard
Webhooks](https://www.standardwebhooks.com/).

**Idempotency.** A create with an \`Idempotency-Key\` happens once, however often you send it within 24 hours.
`.trim().replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
}
