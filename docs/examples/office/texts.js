/*
 * Texts and numbers in the language of the page. Amounts are decimal text from the service to the screen: `Intl` formats text exactly, a
 * binary number would round it.
 */
/** Spanish and English texts. Most words of the API are keys. @type {Record<string, [string, string]>} */
const texts = {
  other: ['English', 'Español'],
  title: ['Obra en la oficina', 'Obra back office'],
  company: ['Empresa', 'Company'],
  choose: ['Elija una …', 'Choose one …'],
  logOut: ['Salir', 'Log out'],
  level: ['nivel', 'level'],
  logIn: ['Iniciar sesión', 'Log in'],
  email: ['Correo', 'Email'],
  password: ['Contraseña', 'Password'],
  enter: ['Entrar', 'Log in'],
  demo: ['Cuenta de demostración:', 'Demo account:'],
  loading: ['Cargando …', 'Loading …'],
  failed: ['No se puede mostrar', 'This cannot be shown'],
  again: ['Intentar de nuevo', 'Try again'],
  toContracts: ['← Contratos', '← Contracts'],
  proxy_error: ['La red no deja pasar los datos al servicio. Pruebe con otra red.', 'The network does not let the data through to the service. Try another network.'],
  offline: ['No hay conexión con el servicio. Revise la red.', 'There is no connection to the service. Check the network.'],
  ended: ['Inicie sesión otra vez para continuar.', 'Log in again to continue.'],
  no_active_company: ['Elija una empresa arriba. Si no hay ninguna, pida acceso a quien administra las cuentas.', 'Choose a company above. If there is none, ask the administrator of the accounts for access.'],
  not_found: ['No existe, o es de otra empresa.', 'It does not exist, or it belongs to another company.'],
  throttled: ['Espere un minuto.', 'Wait a minute.'],
  unavailable: ['Espere un minuto.', 'Wait a minute.'],
  contracts: ['Contratos', 'Contracts'],
  contractsCaption: ['Contratos de la empresa', 'Contracts of the company'],
  search: ['Folio, contraparte o descripción', 'Folio, counterparty or description'],
  find: ['Buscar', 'Search'],
  all: ['todos', 'all'],
  total: ['Total', 'Total'],
  csv: ['Descargar CSV', 'Download CSV'],
  pages: ['Páginas', 'Pages'],
  page: ['Página', 'Page'],
  of: ['de', 'of'],
  previous: ['← Anterior', '← Previous'],
  next: ['Siguiente →', 'Next →'],
  statement: ['Estado de cuenta', 'Statement of account'],
  documentsCaption: ['Estimaciones autorizadas y sus pagos, en', 'Authorized estimates and their payments, in'],
  progress: ['Avance', 'Progress'],
  figures: ['Cifras de la curva', 'Figures of the curve'],
  progressCaption: ['Importes acumulados, en', 'Accumulated amounts, in'],
  estimates: ['Estimaciones', 'Estimates'],
  estimatesCaption: ['Estimaciones del contrato, en', 'Estimates of the contract, in'],
  more: ['Mostrar más', 'Show more'],
  missing: ['Esta parte no se puede mostrar ahora.', 'This part cannot be shown now.'],
  first: ['las primeras', 'the first'],
  curve: ['Curva de avance, programado y ejecutado. Las cifras están en la tabla que sigue.', 'Progress curve, planned and executed. The figures are in the table that follows.'],
  folio: ['Folio', 'Folio'],
  contraparte: ['Contraparte', 'Counterparty'],
  estado: ['Estado', 'State'],
  monto: ['Monto', 'Amount'],
  monto_original: ['Monto original', 'Original amount'],
  por_estimar: ['Por estimar', 'Left to bill'],
  monto_estimado: ['Estimado', 'Billed'],
  fecha_fin: ['Término', 'End'],
  neto: ['Neto', 'Net'],
  pagado: ['Pagado', 'Paid'],
  saldo: ['Saldo', 'Balance'],
  por_amortizar: ['Anticipo por amortizar', 'Advance left to repay'],
  retenido: ['Retenido', 'Retained'],
  beforeTax: ['antes de IVA', 'before tax'],
  penas: ['Penas convencionales', 'Penalties'],
  deducciones: ['Deducciones', 'Deductions'],
  impuestos: ['Impuestos y derechos', 'Taxes and fees'],
  otros: ['Otros cargos', 'Other charges'],
  caratula: ['Carátula', 'Cover sheet'],
  porcentaje_programado: ['% programado', '% planned'],
  porcentaje_ejecutado: ['% ejecutado', '% executed'],
  tipo: ['Tipo', 'Kind'],
  numero: ['Núm.', 'No.'],
  fecha: ['Fecha', 'Date'],
  referencia: ['Referencia', 'Reference'],
  cargo: ['Cargo', 'Charge'],
  abono: ['Abono', 'Payment'],
  hasta: ['Hasta', 'Until'],
  programado: ['Programado', 'Planned'],
  ejecutado: ['Ejecutado', 'Executed'],
  periodo: ['Periodo', 'Period'],
  por_pagar: ['Por pagar', 'Left to pay'],
  ordinaria: ['Estimación', 'Estimate'],
  retencion: ['retención', 'retention'],
  fondo_garantia: ['fondo de garantía', 'guarantee fund'],
  vigente: ['vigente', 'in force'],
  suspendido: ['suspendido', 'suspended'],
  terminado: ['terminado', 'finished'],
  cancelado: ['cancelado', 'cancelled'],
  borrador: ['borrador', 'draft'],
  enviada: ['enviada', 'sent'],
  autorizada: ['autorizada', 'authorized'],
  rechazada: ['rechazada', 'rejected'],
  pagada: ['pagada', 'paid'],
  cancelada: ['cancelada', 'cancelled'],
  anticipo: ['Anticipo', 'Advance'],
  finiquito: ['Finiquito', 'Settlement'],
  pago: ['Pago de', 'Payment of']
}

/** @type {'es' | 'en'} */
export let language = /** @type {any} */ (localStorage.getItem('office-language')) ?? (navigator.language.startsWith('es') ? 'es' : 'en')

export function switchLanguage () {
  language = language === 'es' ? 'en' : 'es'
  localStorage.setItem('office-language', language)
}

/** The text with this name, or the name itself. @param {string} name */
export function text (name) {
  return texts[name]?.[language === 'es' ? 0 : 1] ?? name
}

const locales = { es: 'es-MX', en: 'en-US' }

/** An amount, such as `1,500.50`. @param {string | null} value */
export function amount (value) {
  return value === null ? '' : new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2 }).format(/** @type {any} */ (value))
}

/** An amount with its currency, such as `MXN 1,500.50`. */
export function money (value, currency) {
  return `${currency}\u00A0${amount(value)}`
}

/** A day, such as `31 mar 2026`. @param {string | null} value */
export function day (value) {
  return value === null ? '' : new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value))
}

/** A share of the contract, such as `41.29 %`. @param {string | null} value */
export function percent (value) {
  return value === null ? '' : `${amount(value)} %`
}
