import manifest from '../../../package.json' with { type: 'json' }

/** What the document says of the service as a whole. */
export const info = {
  title: 'Obra',
  version: manifest.version,
  summary: manifest.description,
  license: { name: manifest.license, identifier: manifest.license },
  description: `
Obra keeps the contracts, estimates and counterparties of construction companies. A customer owns companies; a user belongs to companies and has one
active company, whose records are all that the business endpoints show.

**First calls.** \`POST /api/v1/api-token-auth/\` with \`email\` and \`password\` gives an access token (1 hour) and a refresh token (7 days). Every other
endpoint of the API takes \`Authorization: Bearer <access>\`. \`POST /api/v1/api-token-refresh/\` exchanges the refresh token for the next pair.

**Levels.** 1 Auxiliar, 2 Coordinador and 3 Director are levels of a user in a company; 4 Corporativo, 5 Soporte and 6 Superusuario are levels of the account.
Each operation says which levels may do it, in words and as \`x-nivel-acceso\`.

**Addresses** end with a slash; without it they are answered just as well. \`HEAD\` is answered as \`GET\`, without a body. \`OPTIONS\` is answered with 204 and
\`Allow\`, and a method that an address does not take with 405, code \`method_not_allowed\`, and \`Allow\`.

**Errors.** A 400 has \`detail\` and, by field, \`errors\`; every other error has \`detail\` and \`code\`. Messages are in English or Spanish, by \`Accept-Language\`;
\`code\` is the same in both.

**Bodies** are JSON. Amounts and percentages are decimal strings with two places; a body may also give them as JSON numbers, which are taken from their text and
never rounded: more than two decimals, or an exponent, is refused. Text is trimmed and brought into Unicode's NFC before it is measured. For existing clients bodies and queries also take what Django REST Framework takes for a type: a number for a text, digits in a text for an
integer or an id, \`1\`, \`"true"\` or \`"True"\` for a boolean, a UUID without hyphens. Answers always have the form that is described here. A field that the resource does not have is refused. Read-only fields may be sent back and are passed over, so that what GET
shows can be changed and sent by PUT.

**Lists** come in pages: \`count\`, \`next\`, \`previous\`, \`results\`. Follow \`next\` as it is: its cursor neither skips nor repeats a record while others write.

**Conditions.** A read carries an \`ETag\`; with it in \`If-None-Match\` the answer is 304 for as long as nothing that it shows has changed. A write with it in \`If-Match\` is
answered with 412 when the record has changed. A create under an \`Idempotency-Key\` happens once, however often it is sent within 24 hours.
`.trim().replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
}
