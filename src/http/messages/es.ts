import type { en } from './en.ts'

/**
 * Spanish, in the order of {@link en}. `satisfies` makes a missing or surplus translation fail the type check.
 * "Unconfirmed" marks a translation that the published catalogue consulted (of 2015) does not have yet.
 */
export const es = {
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
  orderedTwice: '"{field}" aparece más de una vez.',

  doesNotExist: 'Clave primaria "{pk_value}" inválida - objeto no existe.',
  nameDoesNotExist: 'Objeto con {slug_name}={value} no existe.',
  incorrectPk: 'Tipo incorrecto. Se esperaba valor de clave primaria y se recibió {data_type}.',

  invalidInput: 'Entrada inválida.', // unconfirmed
  // Ours: Django REST Framework has these three only in English.
  jsonUnexpected: 'Error al interpretar el JSON - Carácter inesperado "{found}": línea {line} columna {column}',
  jsonEnd: 'Error al interpretar el JSON - Final inesperado del texto: línea {line} columna {column}',
  jsonPrototype: 'Error al interpretar el JSON - El objeto contiene una propiedad de prototipo prohibida',
  moreProblems: 'Hay más problemas, que no se muestran.',
  malformedRequest: 'Solicitud con formato incorrecto.',
  bodyNotUtf8: 'El cuerpo de la solicitud no es UTF-8 válido. Envíelo codificado en UTF-8.',
  notUtf8: 'No es UTF-8 válido. Codifique el texto en UTF-8 antes de aplicar la codificación por ciento.',
  percentEncoding: 'Codificación por ciento incorrecta: a "%" deben seguir dos dígitos hexadecimales. Escriba el signo de por ciento como "%25".',
  invalidPage: 'Página inválida.', // unconfirmed
  invalidCursor: 'Cursor inválido',
  notFound: 'No encontrado.',
  refreshWithoutAccess: 'Las credenciales de autenticación no se proveyeron. La renovación requiere el encabezado Authorization: Bearer <access>, con un token de acceso de la misma sesión. Ese token puede haber expirado.',
  notAuthenticated: 'Las credenciales de autenticación no se proveyeron.',
  permissionDenied: 'Usted no tiene permiso para realizar esta acción.',
  methodNotAllowed: 'Método "{method}" no permitido.',
  notAcceptable: 'No se ha podido satisfacer la solicitud de cabecera de Accept.',
  unsupportedMediaType: 'Tipo de medio "{media_type}" incompatible en la solicitud.',
  unsupportedCharset: 'Charset "{charset}" incompatible en la solicitud. Envíe el cuerpo en UTF-8.',
  throttledWait: 'Solicitud fue regulada (throttled). Se espera que esté disponible en {wait} segundos.',
  tooManyWaits: 'Usted tiene {most} flujos de eventos y solicitudes en espera abiertos, el máximo de un usuario. Cierre uno o intente de nuevo en {wait} segundos.', // ours
  tooManyCustomerWaits: 'Los usuarios de su cliente tienen {most} flujos de eventos y solicitudes en espera abiertos, el máximo de un cliente. Pida sin esperar o intente de nuevo en {wait} segundos.', // ours
  tooManyCustomerRequests: 'Los usuarios de su cliente tienen {most} solicitudes en curso, el máximo de un cliente. Intente de nuevo en {wait} segundo.', // ours
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
  resync: 'Este cursor ya no se puede continuar. Empiece sin cursor y reemplace todos los registros.',
  cursorResources: 'El cursor pertenece a otros recursos.',
  fieldConflict: 'Campos de este registro han cambiado desde que el dispositivo los leyó.',
  dependencyFailed: 'El registro al que se refiere esta mutación no existe.',
  mutationMismatch: 'Este id de mutación se usó con otro contenido.',
  alreadyAcknowledged: 'El dispositivo ya confirmó esta mutación.',
  deviceTaken: 'El dispositivo pertenece a otro usuario o a otra empresa.',
  tooManyDevices: 'Ha usado {count} dispositivos en esta empresa en los últimos 100 días. Use uno de ellos; un dispositivo que no se usa durante 100 días se olvida.',
  tooManyResults: 'El servidor guarda {count} resultados de este dispositivo, o 1 MiB. Envíe como `acknowledged` el id del último resultado que el dispositivo ha guardado.',
  companyChanged: 'El cursor pertenece a otra empresa que la activa.',

  noActiveCompany: 'Usted no tiene una empresa activa.',
  companyMismatch: 'Este campo debe ser su empresa activa.',
  companyUnreachable: 'Usted no tiene acceso a esta empresa.',
  endBeforeStart: 'fecha_fin no puede ser anterior a fecha_inicio.',
  parentCycle: 'Un contrato no puede moverse bajo sí mismo ni bajo uno de sus subcontratos.',
  parentDepth: 'Un árbol de contratos puede tener como máximo 50 niveles. Elija un contrato de un nivel superior o saque antes subcontratos de este árbol.',
  estadoTransition: '"{from}" no puede cambiar a "{to}". Puede cambiar a: {allowed}.',
  estadoFinal: '"{from}" no puede cambiar a "{to}". Es definitivo.',
  estadoInitial: 'Un registro nuevo debe empezar como "{initial}".',
  immutable: 'Este campo no puede cambiarse.',
  protectedRecord: '{record} no puede eliminarse mientras {dependents}.',
  belowAuthorized: 'Asegúrese de que este valor no sea menor que el monto autorizado.',
  contractClosed: 'Este contrato está cerrado y no admite nuevas estimaciones.',
  contractCancelled: 'El contrato está cancelado: sus estimaciones solo pueden rechazarse o cancelarse.',
  currencyInUse: 'Este campo no puede cambiarse mientras el contrato tenga estimaciones que no estén rechazadas ni canceladas.',
  periodIncomplete: 'Envíe periodo_inicio y periodo_fin, o ninguno de los dos.',
  periodBackwards: 'periodo_fin no puede ser anterior a periodo_inicio.',
  periodOverlaps: 'El periodo se traslapa con el de otra estimación del contrato.',
  invoiceTaken: 'Otra estimación que no está rechazada ni cancelada tiene este factura_uuid. Cancélela o rechácela, o quítele su factura_uuid.',
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
  membershipAcrossCustomers: 'El usuario y la empresa pertenecen a clientes distintos.',

  notUrl: 'Introduzca una URL válida de 2048 caracteres como máximo.',
  urlScheme: 'La URL debe empezar con "https://".',
  urlCredentials: 'La URL no puede contener usuario ni contraseña.',
  urlFragment: 'La URL no puede contener un fragmento ("#").',
  urlAddress: 'El host de la URL debe ser público.',
  urlPort: 'Este puerto no está permitido.',
  webhookKeyMissing: 'El servidor no tiene WEBHOOK_KEY, por lo que no puede crear webhooks.',
  webhookUrlTaken: 'Otro webhook de la empresa tiene esta dirección. Cambie ese webhook o use otra dirección.',
  tooManyTests: 'Su cliente tiene {most} pruebas de webhooks en curso, el máximo de un cliente. Intente de nuevo en {wait} segundos.',
  testInProgress: 'Hay una prueba de este webhook en curso. Espere su respuesta o intente de nuevo en {wait} segundos.',
  tooManyWebhooks: 'La empresa ya tiene el máximo de webhooks.',
  nothingFails: 'Ninguna entrega de este webhook está fallando.',
  futureRevision: 'Asegúrese de que este valor no sea posterior al presente.'
} as const satisfies Record<keyof typeof en, string>
