import type { requests as english } from '../en/requests.ts'

/**
 * Spanish, in the order of {@link english}. `satisfies` makes a missing or surplus translation fail the type check.
 * "Unconfirmed" marks a translation that the published catalogue consulted (of 2015) does not have yet.
 */
export const requests = {
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
  notInstant: 'Fecha/hora con formato erróneo. ' +
    'Use uno de los siguientes formatos en su lugar: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  notTimeZone: 'Use el nombre de una zona horaria, por ejemplo America/Mexico_City.',
  invalidChoice: '"{input}" no es una elección válida.',
  invalidChoiceOf: '"{input}" no es una elección válida. Opciones válidas: {choices}.',
  notRfc: 'Introduzca un RFC válido: 3 o 4 letras, una fecha como AAMMDD, 2 letras o dígitos y un dígito o A, como GODE561231GR8.',
  notEmail: 'Introduzca una dirección de correo electrónico válida.',
  notUuid: 'Debe ser un UUID válido.',
  notHash: 'Debe ser un hash SHA-256: 64 dígitos hexadecimales.',
  unique: 'Este campo debe ser único.',
  nullCharacter: 'Los caracteres nulos no están permitidos.',
  combiningMarks: 'Asegúrese de que este campo no tenga más de 30 marcas combinables seguidas.',
  unknownField: 'Campo desconocido.',
  unknownParameter: 'Parámetro de consulta desconocido.',
  repeatedParameter: 'Este parámetro de consulta solo puede indicarse una vez.',
  repeatedHeader: 'Este encabezado solo puede indicarse una vez.',
  tooManyParameters: 'La URL tiene más de {count} parámetros de consulta.',
  headerTooLong: 'Asegúrese de que este encabezado no tenga más de {max_length} caracteres ni más de {max_parts} valores.',
  orderedTwice: '"{field}" aparece más de una vez.',

  doesNotExist: 'Clave primaria "{pk_value}" inválida - objeto no existe.',
  nameDoesNotExist: 'Objeto con {slug_name}={value} no existe.',
  incorrectPk: 'Tipo incorrecto. Se esperaba valor de clave primaria y se recibió {data_type}.',

  invalidInput: 'Entrada inválida.', // unconfirmed
  // Ours: Django REST Framework has these three only in English.
  jsonUnexpected: 'Error al interpretar el JSON - Carácter inesperado "{found}": línea {line} columna {column}',
  jsonEnd: 'Error al interpretar el JSON - Final inesperado del texto: línea {line} columna {column}',
  jsonPrototype: 'Error al interpretar el JSON - El objeto contiene una propiedad de prototipo prohibida',
  tooManyRows: 'La lista tiene más de {max_rows} filas, el máximo de un archivo CSV. Limítela con filtros o lea sus páginas en JSON.',
  tooManyDocuments: 'El contrato tiene más de {most} estimaciones autorizadas y pagos, el máximo de un estado de cuenta. ' +
    'Léalos en estimates/ y pagos/.',
  tooManyChapters: 'La carátula tiene más de {most} capítulos y movimientos, el máximo de un PDF. Lea la carátula en JSON.',
  fileTooLarge: 'El archivo tiene más de {max_mb} MB. Limite la lista con filtros o elija menos columnas con fields.',
  csvEmpty: 'El archivo CSV no tiene filas. La primera fila debe nombrar campos y cada fila siguiente es un elemento.',
  csvCells: 'La fila {row} tiene {cells} celdas, pero el encabezado tiene {columns}. ' +
    'Ponga entre comillas las celdas con comas, comillas o saltos de línea.',
  csvUnnamed: 'La columna {column} de la fila {row} no tiene nombre. Nombre su campo o borre la columna.',
  csvRepeated: 'Otra columna da también este campo. Borre una de ellas.',
  csvQuotes: 'Error al interpretar el CSV - Comillas incorrectas en la fila {row}. ' +
    'Ponga entre comillas la celda que tiene comillas y duplique cada una de ellas.',
  csvRowTooLong: 'La fila {row} es demasiado larga. Es posible que falte cerrar unas comillas anteriores.',
  moreProblems: 'Hay más problemas, que no se muestran.',
  tooManyRefused: 'El servidor rechaza más de {count} elementos solo después de probar cada uno por separado. Envíe menos elementos.',
  malformedRequest: 'Solicitud con formato incorrecto.',
  bodyNotUtf8: 'El cuerpo de la solicitud no es UTF-8 válido. Envíelo codificado en UTF-8.',
  notUtf8: 'No es UTF-8 válido. Codifique el texto en UTF-8 antes de aplicar la codificación por ciento.',
  percentEncoding: 'Codificación por ciento incorrecta: a "%" deben seguir dos dígitos hexadecimales. ' +
    'Escriba el signo de por ciento como "%25".',
  invalidPage: 'Página inválida.', // unconfirmed
  invalidCursor: 'Cursor inválido',
  notFound: 'No encontrado.',
  refreshWithoutAccess: 'Las credenciales de autenticación no se proveyeron. ' +
    'La renovación requiere el encabezado Authorization: Bearer <access>, con un token de acceso de la misma sesión. ' +
    'Ese token puede haber expirado.',
  notAuthenticated: 'Las credenciales de autenticación no se proveyeron.',
  permissionDenied: 'Usted no tiene permiso para realizar esta acción.',
  methodNotAllowed: 'Método "{method}" no permitido.',
  notAcceptable: 'No se ha podido satisfacer la solicitud de cabecera de Accept.',
  unsupportedMediaType: 'Tipo de medio "{media_type}" incompatible en la solicitud.',
  unsupportedCharset: 'Charset "{charset}" incompatible en la solicitud. Envíe el cuerpo en UTF-8.',
  unsupportedEncoding: 'Codificación "{encoding}" incompatible en la solicitud. Envíe el cuerpo sin comprimir.',
  throttledWait: 'Solicitud fue regulada (throttled). Se espera que esté disponible en {wait} segundos.',
  tooManyExports: 'Los usuarios de su cliente tienen {most} exportaciones abiertas, el máximo de un cliente. ' +
    'Léalas hasta el final o intente de nuevo en {wait} segundos.', // ours
  tooManyDownloads: 'Usted o los usuarios de su cliente tienen demasiadas descargas abiertas. Intente de nuevo en {wait} segundos.', // ours
  tooManyUploads: 'Usted o los usuarios de su cliente tienen demasiadas cargas abiertas. Intente de nuevo en {wait} segundos.', // ours
  tusVersion: 'Este servidor admite la versión {version} del protocolo tus, en el encabezado Tus-Resumable.', // ours
  quotaExceeded: 'Los archivos de su empresa tendrían más de {quota} MB.', // ours
  rangeNotSatisfiable: 'El archivo tiene {bytes} bytes, por lo que no tiene este rango.', // ours
  tooManyWaits: 'Usted tiene {most} flujos de eventos y solicitudes en espera abiertos, el máximo de un usuario. ' +
    'Cierre uno o intente de nuevo en {wait} segundos.', // ours
  tooManyCustomerWaits: 'Los usuarios de su cliente tienen {most} flujos de eventos y solicitudes en espera abiertos, ' +
    'el máximo de un cliente. Pida sin esperar o intente de nuevo en {wait} segundos.', // ours
  tooManyCustomerRequests: 'Los usuarios de su cliente tienen {most} solicitudes en curso, el máximo de un cliente. ' +
    'Intente de nuevo en {wait} segundo.', // ours
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
  otherWrites: 'Otras solicitudes están escribiendo los mismos datos. Inténtelo más tarde.',
  otherExports: 'Hay otras exportaciones o reportes en curso. Inténtelo más tarde.',
  changedDuringExport: 'Esta empresa cambió durante cada intento de exportar la lista. Inténtelo más tarde o limite la lista con filtros.',
  answerTooLong: 'El servidor está ocupado y no pudo terminar la respuesta a tiempo. Inténtelo más tarde.',
  tooMuchWork: 'El servidor está ocupado y no pudo terminar la solicitud a tiempo. No se escribió nada. Inténtelo más tarde.',
  preconditionFailed: 'El objeto ha cambiado desde que usted lo obtuvo. Obténgalo de nuevo antes de modificarlo.',
  conflict: 'La solicitud entra en conflicto con el estado actual del objeto.',
  bodyTooLarge: 'El cuerpo de la solicitud es demasiado grande.',
  bodyOverLimit: 'El cuerpo de la solicitud es mayor que {limit}, el límite de esta operación.',
  tooManyValues: 'El cuerpo de la solicitud tiene más de {count} valores. Envíe los elementos en varias solicitudes.',
  headersTooLarge: 'El encabezado de la solicitud es demasiado grande.',
  requestTimeout: 'La solicitud tardó demasiado en llegar.',
  idempotencyKey: 'Asegúrese de que este encabezado tenga de 1 a 255 caracteres imprimibles.',
  idempotencyRunning: 'Una solicitud con este Idempotency-Key sigue en curso.',
  idempotencyMismatch: 'Este Idempotency-Key se usó con otra solicitud.',
  resync: 'Este cursor ya no se puede continuar. Empiece sin cursor y reemplace todos los registros.',
  cursorResources: 'El cursor pertenece a otros recursos.',
  cursorContracts: 'El cursor pertenece a otros contratos.',
  fieldConflict: 'Campos de este registro han cambiado desde que el dispositivo los leyó.',
  dependencyFailed: 'El registro al que se refiere esta mutación no existe.',
  mutationMismatch: 'Este id de mutación se usó con otro contenido.',
  alreadyAcknowledged: 'El dispositivo ya confirmó esta mutación.',
  deviceTaken: 'El dispositivo pertenece a otro usuario o a otra empresa.',
  tooManyDevices: 'Ha usado {count} dispositivos en esta empresa. Use uno de ellos. ' +
    'Un dispositivo sin uso durante un día deja lugar si ya confirmó sus resultados; cualquier otro se olvida después de 100 días.',
  tooManyResults: 'El servidor guarda {count} resultados de este dispositivo, o 1 MiB. ' +
    'Envíe como `acknowledged` el id del último resultado que el dispositivo ha guardado.',
  companyChanged: 'El cursor pertenece a otra empresa que la activa.'
} as const satisfies Record<keyof typeof english, string>
