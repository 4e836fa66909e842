/** English messages. A key marked "ours" has no counterpart in the sources named at `messages`. */
export const en = {
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
  orderedTwice: '"{field}" is given more than once.', // ours

  // Relations: rest_framework/relations.py
  doesNotExist: 'Invalid pk "{pk_value}" - object does not exist.',
  nameDoesNotExist: 'Object with {slug_name}={value} does not exist.',
  incorrectPk: 'Incorrect type. Expected pk value, received {data_type}.',

  // Requests: rest_framework/exceptions.py, pagination.py, parsers.py
  invalidInput: 'Invalid input.',
  jsonUnexpected: 'JSON parse error - Unexpected character "{found}": line {line} column {column}', // the position in the format of Python's json
  jsonEnd: 'JSON parse error - Unexpected end of the text: line {line} column {column}',
  jsonPrototype: 'JSON parse error - Object contains forbidden prototype property',
  tooManyRows: 'The list has more than {max_rows} rows, the most of a CSV file. Narrow it with filters, or read its pages as JSON.', // ours
  tooManyDocuments: 'The contract has more than {most} authorized estimates and payments, the most of a statement of account. Read them from estimates/ and pagos/.', // ours
  tooManyChapters: 'The contract has more than {most} chapters, the most of a PDF. Read the cover sheet as JSON.', // ours
  fileTooLarge: 'The file has more than {max_mb} MB. Narrow the list with filters, or choose fewer columns with fields.', // ours
  csvEmpty: 'The CSV file has no rows. Its first row must name fields, and each further row is an item.', // ours
  csvCells: 'Row {row} has {cells} cells, but the header has {columns}. Quote cells that contain commas, quotes or line breaks.', // ours
  csvUnnamed: 'Column {column} of row {row} has no name. Name its field, or delete the column.', // ours
  csvRepeated: 'Another column gives this field too. Delete one of them.', // ours
  csvQuotes: 'CSV parse error - Wrong quotes in row {row}. Put a cell with quotes in quotes, and write each quote in it twice.', // ours
  csvRowTooLong: 'Row {row} is too long. A quote before it may lack its end.', // ours
  moreProblems: 'There are more problems, which are not listed.', // ours
  malformedRequest: 'Malformed request.',
  bodyNotUtf8: 'The request body is not valid UTF-8. Send it encoded as UTF-8.', // ours
  notUtf8: 'Not valid UTF-8. Encode the text as UTF-8 before percent-encoding it.', // ours
  percentEncoding: 'Malformed percent-encoding: "%" must be followed by two hexadecimal digits. Write a percent sign as "%25".', // ours
  invalidPage: 'Invalid page.',
  invalidCursor: 'Invalid cursor',
  notFound: 'Not found.',
  refreshWithoutAccess: 'Authentication credentials were not provided. A refresh needs the header Authorization: Bearer <access>, with an access token of the same session. That token may have expired.',
  notAuthenticated: 'Authentication credentials were not provided.',
  permissionDenied: 'You do not have permission to perform this action.',
  methodNotAllowed: 'Method "{method}" not allowed.',
  notAcceptable: 'Could not satisfy the request Accept header.',
  unsupportedMediaType: 'Unsupported media type "{media_type}" in request.',
  unsupportedCharset: 'Unsupported charset "{charset}" in request. Send the body as UTF-8.', // ours
  unsupportedEncoding: 'Unsupported encoding "{encoding}" in request. Send the body uncompressed.', // ours
  throttledWait: 'Request was throttled. Expected available in {wait} seconds.',
  tooManyExports: 'The users of your customer have {most} exports open, the most of one customer. Read them to their end, or try again in {wait} seconds.', // ours
  tooManyWaits: 'You have {most} open event streams and waiting requests, the most of one user. Close one, or try again in {wait} seconds.', // ours
  tooManyCustomerWaits: 'The users of your customer have {most} open event streams and waiting requests, the most of one customer. Ask without waiting, or try again in {wait} seconds.', // ours
  tooManyCustomerRequests: 'The users of your customer have {most} requests in progress, the most of one customer. Try again in {wait} second.', // ours
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
  otherExports: 'Other exports or PDF documents are in progress. Try again later.',
  changedDuringExport: 'This company changed during each attempt to export the list. Try again later, or narrow the list with filters.',
  answerTooLong: 'The answer takes too long. Ask for less, or try again later.',
  tooMuchWork: 'The request takes too long. Send fewer items, or try again later.',
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
  tooManyDevices: 'You have used {count} devices in this company. Use one of them. A device that was not used for a day makes room when it has acknowledged its results; any other is forgotten after 100 days.',
  tooManyResults: 'The server keeps {count} results of this device, or 1 MiB. Send the id of the last result that the device has stored as `acknowledged`.',
  companyChanged: 'The cursor belongs to another company than your active one.',

  // Ours: companies, contracts, estimates and change orders
  noActiveCompany: 'You have no active company.',
  companyMismatch: 'This field must be your active company.',
  companyUnreachable: 'You do not have access to this company.',
  endBeforeStart: 'fecha_fin may not be before fecha_inicio.',
  parentCycle: 'A contract may not be moved under itself or one of its subcontracts.',
  parentDepth: 'A tree of contracts may have at most 50 levels. Choose a contract of a higher level, or first move subcontracts out of this tree.',
  estadoTransition: '"{from}" cannot change to "{to}". It can change to: {allowed}.',
  estadoFinal: '"{from}" cannot change to "{to}". It is final.',
  estadoPaid: '"{from}" cannot change to "{to}". It changes to "autorizada" when a payment is deleted.',
  estadoInitial: 'A new record must start as "{initial}".',
  immutable: 'This field cannot be changed.',
  derived: 'This amount is the sum of its lines and cannot be given.',
  invalidValue: 'This value is not valid.',
  ruleBroken: 'These values break a rule of the data.',
  numberTooLarge: 'A number, or an amount that is calculated from it, is too large.',
  protectedRecord: '{record} cannot be deleted while {dependents}.',
  belowAuthorized: 'Ensure this value is not less than the authorized amount.',
  catalogueBelowAuthorized: 'With this change, the concepts would add up to less than the authorized amount of the contract.',
  contractClosed: 'This contract is closed. A "terminado" contract accepts only a finiquito.',
  contractSettled: 'The contract is settled by a finiquito: it accepts only payments, and finiquitos without work.',
  finiquitoExists: 'A finiquito of the contract waits for its authorization. Cancel it first, or delete it while it is a "borrador".',
  pending: 'First authorize, reject or cancel the other estimates of the contract, and sign or cancel its change orders in "autorizado".',
  contractCancelled: 'The contract is cancelled: its estimates can only be rejected or cancelled.',
  currencyInUse: 'This field cannot be changed while the contract has estimates that are neither rejected nor cancelled.',
  periodIncomplete: 'Send both periodo_inicio and periodo_fin, or neither.',
  periodBackwards: 'periodo_fin may not be before periodo_inicio.',
  periodOverlaps: 'The period overlaps the period of another estimate of the contract.',
  invoiceTaken: 'Another estimate that is neither rejected nor cancelled has this factura_uuid. Cancel or reject it, or clear its factura_uuid.',
  deductionsTooLarge: 'The subtotal or neto would be less than zero: monto has to cover amortizacion, retencion, deductivas, derechos and the charges of movimientos.',
  generatedTooLarge: 'The value that is calculated from {fields} has more than {max_whole_digits} digits before the decimal point.',
  sumInvalid: 'With this amount, the sum that it is part of would not be valid.',
  sumTooLarge: 'With this amount, the sum that it is part of would be too large.',
  derivedTooLarge: 'This value is too large for the amounts that are calculated from it.',
  exceedsContract: 'The authorized total would exceed the amount of the contract.',
  exceedsAdvance: 'The advance documents of the contract would add up to more than its agreed advance.',
  onlyAdvance: 'Only an estimate of tipo "anticipo" delivers an advance.',
  noWork: 'This estimate has no work: its monto is 0.00 and it has no generadores.',
  authorizedLater: 'Another estimate of the contract was authorized later. Undo its authorization first.',
  hasPayments: 'The estimate has payments. Delete them first.',
  notPayable: 'Only an estimate that is "autorizada" can be paid, and only if its contract is not "cancelado".',
  notDue: 'A payment must have the sign of por_pagar and be at most as large.',
  contractAuthorized: 'A contract with authorized estimates cannot be cancelled. Change it to "terminado", or undo the authorizations first.',
  notProduct: 'This value is not the product of piezas, largo, ancho and alto. Leave it out, or send their product, rounded to four places.',
  zero: 'This amount may not be zero.',
  exactlyOne: 'Give either importe or porcentaje, and null for the other.',
  baseAfterTax: 'Before tax (antes_iva), a percentage can only be of "monto".',
  returnsMore: 'More would be returned than authorized estimates of the contract have taken with the same tipo and antes_iva.',
  tooManyPercentages: 'An estimate may have at most 1,000 movements with a percentage.',
  reduction: 'A reduction is not estimated: estimate the original row of the concept.',
  tooManyOfClave: 'A contract can have at most {most} rows with the same clave. Use another clave.',
  differsFromClave: 'Rows with the same clave have the same unidad, precio_unitario and alzado. Use another clave for a new price.',
  convenioNotAuthorized: 'A line belongs to a change order that is neither "autorizado" nor "firmado". Authorize the change order first.',
  reducesExecuted: 'The change order would reduce a concept below the quantity in authorized estimates.',
  otherContract: 'This record belongs to another contract.',
  sumIsNegative: 'The lines of the estimate add up to less than zero.',
  quantityNegative: 'A concept would have a negative quantity in all authorized estimates together. Check the generadores with a negative cantidad.',
  quantityExceeded: 'A lump sum (alzado) would have more than its quantity in all authorized estimates together. Reduce its generadores, or authorize a change order that adds to it first.',
  estimateNotDraft: 'Amounts, period and generadores can only be changed while the estimate is a "borrador".',
  estimateNotDeletable: 'Only the last estimate of a contract can be deleted, and only while it is a "borrador".',
  setByConvenios: 'Signed change orders (convenios) have set this value. Change it with another change order.',
  convenioContractCancelled: 'This contract is cancelled and accepts no change orders.',
  contractOfConvenioCancelled: 'The contract is cancelled: its change orders can only be rejected or cancelled.',
  convenioBelowAuthorized: 'With this change order, the contract would be for less than its authorized amount.',
  extraInUse: 'Authorized estimates use this amount. Sign the change order, or authorize another one first.',
  noTerm: 'The contract needs a fecha_fin that this change does not move before fecha_inicio or out of the years 0001 to 9999.',
  convenioNotDraft: 'Amount, days, advance, concepts and programme can only be changed while the change order is a "borrador".',
  programmeContractClosed: 'This contract is cancelled or settled, and accepts no new periods of its programme.',
  programmeClosed: 'The contract is cancelled or settled, so its programme can no longer change.',
  catalogueClosed: 'The original catalogue is closed, because a change order or an estimate with lines is authorized. Add a change order.',
  convenioNotDeletable: 'Only the last change order of a contract can be deleted, and only while it is a "borrador".',

  // Ours: accounts, apart from the first (rest_framework/validators.py)
  uniqueSet: 'The fields {field_names} must make a unique set.',
  wrongPassword: 'Your old password was entered incorrectly. Please enter it again.', // django/contrib/auth/forms.py
  currentPasswordUnused: 'Send this field only to change your own password.', // ours
  levelAboveOwn: 'You may not assign a level above your own.',
  levelNeedsCustomer: 'Level 4 requires a customer.',
  lastSuperusuario: 'There must be at least one other active Superusuario.',
  companyHasMembers: 'Users of another customer have memberships in this company ({count}). Remove them first.',
  userHasMemberships: 'This user has memberships in companies of another customer ({count}). Remove them first.',
  membershipAcrossCustomers: 'The user and the company belong to different customers.',

  // Ours: webhooks
  notUrl: 'Enter a valid URL with at most 2048 characters.',
  urlScheme: 'The URL must start with "https://".',
  urlCredentials: 'The URL may not contain a user name or a password.',
  urlFragment: 'The URL may not contain a fragment ("#").',
  urlAddress: 'The host of the URL must be public.',
  urlPort: 'This port is not allowed.',
  webhookKeyMissing: 'The server has no WEBHOOK_KEY, so it cannot create webhooks.',
  webhookUrlTaken: 'Another webhook of the company has this address. Change that webhook, or use another address.',
  tooManyTests: 'Your customer has {most} tests of webhooks in progress, the most of one customer. Try again in {wait} seconds.',
  testInProgress: 'A test of this webhook is in progress. Wait for its answer, or try again in {wait} seconds.',
  tooManyWebhooks: 'The company has as many webhooks as possible.',
  nothingFails: 'No delivery of this webhook fails.',
  futureRevision: 'Ensure this value is not later than now.'
} as const
