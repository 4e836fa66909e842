/**
 * English. A key marked "ours" has no counterpart in the sources named at {@link messages}.
 */
const en = {
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
  notRfc: 'Enter a valid RFC.',
  notEmail: 'Enter a valid email address.',
  notUuid: 'Must be a valid UUID.',
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
  moreProblems: 'More problems, not listed: {count}.', // ours
  malformedRequest: 'Malformed request.',
  invalidPage: 'Invalid page.',
  invalidCursor: 'Invalid cursor',
  notFound: 'Not found.',
  notAuthenticated: 'Authentication credentials were not provided.',
  permissionDenied: 'You do not have permission to perform this action.',
  methodNotAllowed: 'Method "{method}" not allowed.',
  notAcceptable: 'Could not satisfy the request Accept header.',
  unsupportedMediaType: 'Unsupported media type "{media_type}" in request.',
  throttledWait: 'Request was throttled. Expected available in {wait} seconds.',
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
  preconditionFailed: 'The object has changed since you retrieved it. Retrieve it again before changing it.',
  conflict: 'The request conflicts with the current state of the object.',
  bodyTooLarge: 'The request body is too large.',
  headersTooLarge: 'The request header is too large.',
  requestTimeout: 'The request took too long to arrive.',
  idempotencyKey: 'Ensure this header has 1 to 255 printable characters.',
  idempotencyRunning: 'A request with this Idempotency-Key is still running.',
  idempotencyMismatch: 'This Idempotency-Key was used with another request.',

  // Ours: companies, contracts and estimates
  noActiveCompany: 'You have no active company.',
  companyMismatch: 'This field must be your active company.',
  companyUnreachable: 'You do not have access to this company.',
  endBeforeStart: 'fecha_fin may not be before fecha_inicio.',
  parentCycle: 'A contract may not be moved under itself or one of its subcontracts.',
  protectedContraparte: 'This counterparty cannot be deleted while contracts use it ({count}).',
  estadoTransition: '"{from}" cannot change to "{to}".',
  estadoInitial: 'A new record must start as "{initial}".',
  immutable: 'This field cannot be changed.',
  protectedContract: 'This contract cannot be deleted while it has subcontracts ({hijos}) or estimates ({estimates}).',
  belowAuthorized: 'Ensure this value is not less than the authorized amount.',
  contractClosed: 'This contract is closed and accepts no new estimates.',
  contractCancelled: 'The contract is cancelled: its estimates can only be rejected or cancelled.',
  currencyInUse: 'This field cannot be changed while the contract has estimates that are neither rejected nor cancelled.',
  periodIncomplete: 'Send both periodo_inicio and periodo_fin, or neither.',
  periodBackwards: 'periodo_fin may not be before periodo_inicio.',
  periodOverlaps: 'The period overlaps the period of another estimate of the contract.',
  deductionsTooLarge: 'Ensure this value is not more than monto minus amortizacion and retencion.',
  derivedTooLarge: 'This value is too large for the amounts that are calculated from it.',
  exceedsContract: 'The authorized total would exceed the amount of the contract.',
  estimateNotDraft: 'Amounts and period can only be changed while the estimate is a "borrador".',
  estimateNotDeletable: 'Only the last estimate of a contract can be deleted, and only while it is a "borrador".',

  // Ours: accounts, apart from the first (rest_framework/validators.py)
  uniqueSet: 'The fields {field_names} must make a unique set.',
  wrongPassword: 'Your old password was entered incorrectly. Please enter it again.', // django/contrib/auth/forms.py
  currentPasswordUnused: 'Send this field only to change your own password.', // ours
  levelAboveOwn: 'You may not assign a level above your own.',
  levelNeedsCustomer: 'Level 4 requires a customer.',
  lastSuperusuario: 'There must be at least one other active Superusuario.',
  companyHasMembers: 'Users of another customer have memberships in this company ({count}). Remove them first.',
  userHasMemberships: 'This user has memberships in companies of another customer ({count}). Remove them first.',
  membershipAcrossCustomers: 'The user and the company belong to different customers.'
} as const

/**
 * Spanish, in the order of {@link en}. `satisfies` makes a missing or surplus translation fail the type check.
 * "Unconfirmed" marks a translation that the published catalogue consulted (of 2015) does not have yet.
 */
const es = {
  required: 'Este campo es requerido.',
  null: 'Este campo no puede ser nulo.',
  blank: 'Este campo no puede estar en blanco.',
  notString: 'No es una cadena válida.', // unconfirmed
  notBoolean: 'Debe ser un booleano válido.',
  notInteger: 'Introduzca un número entero válido.',
  notNumber: 'Se requiere un número válido.',
  notList: 'Se esperaba una lista de elementos en vez del tipo "{input_type}".',
  notObject: 'Datos inválidos. Se esperaba un diccionario pero es un {datatype}.',
  maxLength: 'Asegúrese de que este campo no tenga más de {max_length} caracteres.',
  minLength: 'Asegúrese de que este campo tenga al menos {min_length} caracteres.',
  maxValue: 'Asegúrese de que este valor es menor o igual a {max_value}.',
  minValue: 'Asegúrese de que este valor es mayor o igual a {min_value}.',
  maxDecimalPlaces: 'Asegúrese de que no haya más de {max_decimal_places} decimales.',
  maxWholeDigits: 'Asegúrese de que no haya más de {max_whole_digits} dígitos en la parte entera.',
  maxItems: 'Asegúrese de que este campo no tenga más de {max_length} elementos.', // unconfirmed
  minItems: 'Asegúrese de que este campo tenga al menos {min_length} elementos.', // unconfirmed
  notDate: 'Fecha con formato erróneo. Use uno de los siguientes formatos en su lugar: YYYY-MM-DD.',
  notInstant: 'Fecha/hora con formato erróneo. Use uno de los siguientes formatos en su lugar: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  invalidChoice: '"{input}" no es una elección válida.',
  notRfc: 'Introduzca un RFC válido.',
  notEmail: 'Introduzca una dirección de correo electrónico válida.',
  notUuid: 'Debe ser un UUID válido.',
  unique: 'Este campo debe ser único.',
  nullCharacter: 'Los caracteres nulos no están permitidos.',
  combiningMarks: 'Asegúrese de que este campo no tenga más de 30 marcas combinables seguidas.',
  unknownField: 'Campo desconocido.',
  unknownParameter: 'Parámetro de consulta desconocido.',
  repeatedParameter: 'Este parámetro de consulta solo puede indicarse una vez.',
  orderedTwice: '"{field}" aparece más de una vez.',

  doesNotExist: 'Clave primaria "{pk_value}" inválida - objeto no existe.',
  nameDoesNotExist: 'Objeto con {slug_name}={value} no existe.',
  incorrectPk: 'Tipo incorrecto. Se esperaba valor de clave primaria y se recibió {data_type}.',

  invalidInput: 'Entrada inválida.', // unconfirmed
  // Ours: Django REST Framework has these three only in English.
  jsonUnexpected: 'Error al interpretar el JSON - Carácter inesperado "{found}": línea {line} columna {column}',
  jsonEnd: 'Error al interpretar el JSON - Final inesperado del texto: línea {line} columna {column}',
  jsonPrototype: 'Error al interpretar el JSON - El objeto contiene una propiedad de prototipo prohibida',
  moreProblems: 'Hay más problemas que no se muestran: {count}.',
  malformedRequest: 'Solicitud con formato incorrecto.',
  invalidPage: 'Página inválida.', // unconfirmed
  invalidCursor: 'Cursor inválido',
  notFound: 'No encontrado.',
  notAuthenticated: 'Las credenciales de autenticación no se proveyeron.',
  permissionDenied: 'Usted no tiene permiso para realizar esta acción.',
  methodNotAllowed: 'Método "{method}" no permitido.',
  notAcceptable: 'No se ha podido satisfacer la solicitud de cabecera de Accept.',
  unsupportedMediaType: 'Tipo de medio "{media_type}" incompatible en la solicitud.',
  throttledWait: 'Solicitud fue regulada (throttled). Se espera que esté disponible en {wait} segundos.',
  throttledWaitOne: 'Solicitud fue regulada (throttled). Se espera que esté disponible en {wait} segundo.', // unconfirmed
  serverError: 'Se ha producido un error en el servidor.',

  noActiveAccount: 'La combinación de credenciales no tiene una cuenta activa',
  tokenNotValid: 'El token dado no es valido para ningun tipo de token', // sic, without accents
  tokenInvalid: 'El token es inválido', // ours: the published entry is marked fuzzy, so it is not in use
  tokenExpired: 'El token ha expirado', // ours, likewise
  tokenWrongType: 'El token tiene un tipo incorrecto',
  tokenRevoked: 'El token está en lista negra',
  userInactive: 'El usuario está inactivo',
  badAuthorizationHeader: "El encabezado 'Authorization' debe contener valores delimitados por espacios",

  unavailable: 'Servicio no disponible temporalmente, inténtelo más tarde.',
  preconditionFailed: 'El objeto ha cambiado desde que usted lo obtuvo. Obténgalo de nuevo antes de modificarlo.',
  conflict: 'La solicitud entra en conflicto con el estado actual del objeto.',
  bodyTooLarge: 'El cuerpo de la solicitud es demasiado grande.',
  headersTooLarge: 'El encabezado de la solicitud es demasiado grande.',
  requestTimeout: 'La solicitud tardó demasiado en llegar.',
  idempotencyKey: 'Asegúrese de que este encabezado tenga de 1 a 255 caracteres imprimibles.',
  idempotencyRunning: 'Una solicitud con este Idempotency-Key sigue en curso.',
  idempotencyMismatch: 'Este Idempotency-Key se usó con otra solicitud.',

  noActiveCompany: 'Usted no tiene una empresa activa.',
  companyMismatch: 'Este campo debe ser su empresa activa.',
  companyUnreachable: 'Usted no tiene acceso a esta empresa.',
  endBeforeStart: 'fecha_fin no puede ser anterior a fecha_inicio.',
  parentCycle: 'Un contrato no puede moverse bajo sí mismo ni bajo uno de sus subcontratos.',
  protectedContraparte: 'Esta contraparte no puede eliminarse mientras haya contratos que la usen ({count}).',
  estadoTransition: '"{from}" no puede cambiar a "{to}".',
  estadoInitial: 'Un registro nuevo debe empezar como "{initial}".',
  immutable: 'Este campo no puede cambiarse.',
  protectedContract: 'Este contrato no puede eliminarse mientras tenga subcontratos ({hijos}) o estimaciones ({estimates}).',
  belowAuthorized: 'Asegúrese de que este valor no sea menor que el monto autorizado.',
  contractClosed: 'Este contrato está cerrado y no admite nuevas estimaciones.',
  contractCancelled: 'El contrato está cancelado: sus estimaciones solo pueden rechazarse o cancelarse.',
  currencyInUse: 'Este campo no puede cambiarse mientras el contrato tenga estimaciones que no estén rechazadas ni canceladas.',
  periodIncomplete: 'Envíe periodo_inicio y periodo_fin, o ninguno de los dos.',
  periodBackwards: 'periodo_fin no puede ser anterior a periodo_inicio.',
  periodOverlaps: 'El periodo se traslapa con el de otra estimación del contrato.',
  deductionsTooLarge: 'Asegúrese de que este valor no exceda monto menos amortizacion y retencion.',
  derivedTooLarge: 'Este valor es demasiado grande para los importes que se calculan a partir de él.',
  exceedsContract: 'El total autorizado excedería el monto del contrato.',
  estimateNotDraft: 'Los importes y el periodo solo pueden cambiarse mientras la estimación sea un "borrador".',
  estimateNotDeletable: 'Solo se puede eliminar la última estimación de un contrato, y solo mientras sea un "borrador".',

  uniqueSet: 'Los campos {field_names} deben formar un conjunto único.',
  wrongPassword: 'Su contraseña antigua es incorrecta. Por favor, vuelva a introducirla.',
  currentPasswordUnused: 'Envíe este campo solo para cambiar su propia contraseña.',
  levelAboveOwn: 'Usted no puede asignar un nivel superior al suyo.',
  levelNeedsCustomer: 'El nivel 4 requiere un cliente.',
  lastSuperusuario: 'Debe haber al menos otro Superusuario activo.',
  companyHasMembers: 'Hay usuarios de otro cliente con membresías en esta empresa ({count}). Elimínelas primero.',
  userHasMemberships: 'Este usuario tiene membresías en empresas de otro cliente ({count}). Elimínelas primero.',
  membershipAcrossCustomers: 'El usuario y la empresa pertenecen a clientes distintos.'
} as const satisfies Record<keyof typeof en, string>

/**
 * Every message the API answers with, by language and key.
 *
 * The wording is that of Django REST Framework (rest_framework, locale/es), of
 * djangorestframework-simplejwt (rest_framework_simplejwt, locale/es) and, for null characters,
 * of Django; where they have no such message, one in the same tone. Placeholders keep their names.
 */
export const messages = { en, es } as const

/** The name of a message. */
export type MessageKey = keyof typeof messages.en

/** A language the API answers in. */
export type Language = keyof typeof messages

/**
 * The message of that key in that language, its `{name}` placeholders filled from `values`.
 * A placeholder without a value stays unchanged; braces inside a value are never expanded.
 */
export function message (language: Language, key: MessageKey, values: Record<string, string | number> = {}): string {
  return messages[language][key].replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder)
}
