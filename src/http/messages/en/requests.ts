/** Messages about requests, their values and their tokens. A key marked "ours" has no counterpart in the sources named at `messages`. */
export const requests = {
  // Fields: rest_framework/fields.py, serializers.py, validators.py
  required: 'This field is required.',
  null: 'This field may not be null.',
  blank: 'This field may not be blank.',
  notString: 'Not a valid string.',
  notBoolean: 'Must be a valid boolean.',
  notInteger: 'A valid integer is required.',
  notNumber: 'A valid number is required.',
  notList: 'Expected a list of items but got type "{input_type}".',
  notObject: 'Invalid data. Expected a dictionary, but got {datatype}.',
  maxLength: 'Ensure this field has no more than {max_length} characters.',
  minLength: 'Ensure this field has at least {min_length} characters.',
  maxValue: 'Ensure this value is less than or equal to {max_value}.',
  minValue: 'Ensure this value is greater than or equal to {min_value}.',
  maxDecimalPlaces: 'Ensure that there are no more than {max_decimal_places} decimal places.',
  maxWholeDigits: 'Ensure that there are no more than {max_whole_digits} digits before the decimal point.',
  maxItems: 'Ensure this field has no more than {max_length} elements.',
  minItems: 'Ensure this field has at least {min_length} elements.',
  notDate: 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  notInstant: 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  notTimeZone: 'Use the name of a time zone, such as America/Mexico_City.',
  invalidChoice: '"{input}" is not a valid choice.',
  invalidChoiceOf: '"{input}" is not a valid choice. Valid choices: {choices}.', // ours: Django REST Framework lists none
  notRfc: 'Enter a valid RFC: 3 or 4 letters, a date as YYMMDD, then 2 letters or digits and a digit or A, such as GODE561231GR8.',
  notEmail: 'Enter a valid email address.',
  notUuid: 'Must be a valid UUID.',
  notHash: 'Must be a SHA-256 hash: 64 hexadecimal digits.', // ours
  unique: 'This field must be unique.',
  nullCharacter: 'Null characters are not allowed.', // django/core/validators.py
  combiningMarks: 'Ensure this field has no more than 30 combining marks in a row.', // ours
  unknownField: 'Unknown field.', // ours
  unknownParameter: 'Unknown query parameter.', // ours
  repeatedParameter: 'This query parameter may be given only once.', // ours
  repeatedHeader: 'This header may be given only once.', // ours
  tooManyParameters: 'The URL has more than {count} query parameters.', // ours
  headerTooLong: 'Ensure this header has no more than {max_length} characters and {max_parts} values.', // ours
  orderedTwice: '"{field}" is given more than once.', // ours

  // Relations: rest_framework/relations.py
  doesNotExist: 'Invalid pk "{pk_value}" - object does not exist.',
  nameDoesNotExist: 'Object with {slug_name}={value} does not exist.',
  incorrectPk: 'Incorrect type. Expected pk value, received {data_type}.',

  // Requests: rest_framework/exceptions.py, pagination.py, parsers.py
  invalidInput: 'Invalid input.',
  // the position in the format of Python's json
  jsonUnexpected: 'JSON parse error - Unexpected character "{found}": line {line} column {column}',
  jsonEnd: 'JSON parse error - Unexpected end of the text: line {line} column {column}',
  jsonPrototype: 'JSON parse error - Object contains forbidden prototype property',
  tooManyRows: 'The list has more than {max_rows} rows, the most of a CSV file. Narrow it with filters, or read its pages as JSON.', // ours
  tooManyDocuments: 'The contract has more than {most} authorized estimates and payments, the most of a statement of account. ' +
    'Read them from estimates/ and pagos/.', // ours
  tooManyChapters: 'The cover sheet has more than {most} chapters and movements, the most of a PDF. Read the cover sheet as JSON.', // ours
  fileTooLarge: 'The file has more than {max_mb} MB. Narrow the list with filters, or choose fewer columns with fields.', // ours
  csvEmpty: 'The CSV file has no rows. Its first row must name fields, and each further row is an item.', // ours
  csvCells: 'Row {row} has {cells} cells, but the header has {columns}. Quote cells that contain commas, quotes or line breaks.', // ours
  csvUnnamed: 'Column {column} of row {row} has no name. Name its field, or delete the column.', // ours
  csvRepeated: 'Another column gives this field too. Delete one of them.', // ours
  csvQuotes: 'CSV parse error - Wrong quotes in row {row}. Put a cell with quotes in quotes, and write each quote in it twice.', // ours
  csvRowTooLong: 'Row {row} is too long. A quote before it may lack its end.', // ours
  moreProblems: 'There are more problems, which are not listed.', // ours
  tooManyRefused: 'The server refuses more than {count} items only after it has tried each of them alone. Send fewer items.', // ours
  malformedRequest: 'Malformed request.',
  bodyNotUtf8: 'The request body is not valid UTF-8. Send it encoded as UTF-8.', // ours
  notUtf8: 'Not valid UTF-8. Encode the text as UTF-8 before percent-encoding it.', // ours
  percentEncoding: 'Malformed percent-encoding: "%" must be followed by two hexadecimal digits. Write a percent sign as "%25".', // ours
  invalidPage: 'Invalid page.',
  invalidCursor: 'Invalid cursor',
  notFound: 'Not found.',
  refreshWithoutAccess: 'Authentication credentials were not provided. ' +
    'A refresh needs the header Authorization: Bearer <access>, with an access token of the same session. That token may have expired.',
  notAuthenticated: 'Authentication credentials were not provided.',
  permissionDenied: 'You do not have permission to perform this action.',
  methodNotAllowed: 'Method "{method}" not allowed.',
  notAcceptable: 'Could not satisfy the request Accept header.',
  unsupportedMediaType: 'Unsupported media type "{media_type}" in request.',
  unsupportedCharset: 'Unsupported charset "{charset}" in request. Send the body as UTF-8.', // ours
  unsupportedEncoding: 'Unsupported encoding "{encoding}" in request. Send the body uncompressed.', // ours
  throttledWait: 'Request was throttled. Expected available in {wait} seconds.',
  tooManyExports: 'The users of your customer have {most} exports open, the most of one customer. ' +
    'Read them to their end, or try again in {wait} seconds.', // ours
  tooManyDownloads: 'You or the users of your customer have too many downloads open. Try again in {wait} seconds.', // ours
  tooManyUploads: 'You or the users of your customer have too many uploads open. Try again in {wait} seconds.', // ours
  tusVersion: 'This server supports version {version} of tus, in the header Tus-Resumable.', // ours
  quotaExceeded: 'The files of your company would have more than {quota} MB.', // ours
  rangeNotSatisfiable: 'The file has {bytes} bytes, so it does not have this range.', // ours
  tooManyWaits: 'You have {most} open event streams and waiting requests, the most of one user. ' +
    'Close one, or try again in {wait} seconds.', // ours
  tooManyCustomerWaits: 'The users of your customer have {most} open event streams and waiting requests, the most of one customer. ' +
    'Ask without waiting, or try again in {wait} seconds.', // ours
  tooManyCustomerRequests: 'The users of your customer have {most} requests in progress, the most of one customer. ' +
    'Try again in {wait} second.', // ours
  throttledWaitOne: 'Request was throttled. Expected available in {wait} second.',
  serverError: 'A server error occurred.',

  // Tokens: rest_framework_simplejwt/authentication.py, serializers.py, tokens.py
  noActiveAccount: 'No active account found with the given credentials',
  tokenNotValid: 'Given token not valid for any token type',
  tokenInvalid: 'Token is invalid',
  tokenExpired: 'Token is expired',
  tokenWrongType: 'Token has wrong type',
  tokenRevoked: 'Token is blacklisted',
  userInactive: 'User is inactive',
  badAuthorizationHeader: 'Authorization header must contain two space-delimited values',

  // Ours: conditions of the server and of HTTP that Django REST Framework does not answer for
  unavailable: 'Service temporarily unavailable, try again later.',
  otherWrites: 'Other requests are writing the same data. Try again later.',
  otherExports: 'Other exports or reports are in progress. Try again later.',
  changedDuringExport: 'This company changed during each attempt to export the list. Try again later, or narrow the list with filters.',
  answerTooLong: 'The server is busy, and could not finish the answer in time. Try again later.',
  tooMuchWork: 'The server is busy, and could not finish the request in time. Nothing was written. Try again later.',
  preconditionFailed: 'The object has changed since you retrieved it. Retrieve it again before changing it.',
  conflict: 'The request conflicts with the current state of the object.',
  bodyTooLarge: 'The request body is too large.',
  bodyOverLimit: 'The request body is larger than {limit}, the limit of this operation.',
  tooManyValues: 'The request body has more than {count} values. Send the items in several requests.',
  headersTooLarge: 'The request header is too large.',
  requestTimeout: 'The request took too long to arrive.',
  idempotencyKey: 'Ensure this header has 1 to 255 printable characters.',
  idempotencyRunning: 'A request with this Idempotency-Key is still running.',
  idempotencyMismatch: 'This Idempotency-Key was used with another request.',
  resync: 'This cursor cannot be continued. Start without a cursor and replace all records.',
  cursorResources: 'The cursor belongs to other resources.',
  cursorContracts: 'The cursor belongs to other contracts.',
  fieldConflict: 'Fields of this record have changed since the device read them.',
  dependencyFailed: 'The record that this mutation refers to does not exist.',
  mutationMismatch: 'This mutation id was used with other content.',
  alreadyAcknowledged: 'The device has acknowledged this mutation already.',
  deviceTaken: 'The device belongs to another user or company.',
  tooManyDevices: 'You have used {count} devices in this company. Use one of them. ' +
    'A device that was not used for a day makes room when it has acknowledged its results; any other is forgotten after 100 days.',
  tooManyResults: 'The server keeps {count} results of this device, or 1 MiB. ' +
    'Send the id of the last result that the device has stored as `acknowledged`.',
  companyChanged: 'The cursor belongs to another company than your active one.'
} as const
