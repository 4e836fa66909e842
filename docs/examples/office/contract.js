import { unwrap } from 'obra-client'
import { download, downloads, inWords, obra } from './api.js'
import { copy, drawFacts, drawTable, fill, onClick } from './dom.js'
import { drawPages, pageSize } from './paged-table.js'
import { amount, day, money, percent, text } from './texts.js'

/** Sums of the statement of account that the contractor does not get back. */
const takings = ['penas', 'deducciones', 'impuestos', 'otros']

/** A contract with its statement of account, its progress and its estimates. @param {number} space width of the view in px */
export async function contractView (id, space, signal) {
  const path = { id }
  // In steps, so that windows of almost the same width share a drawing.
  const width = Math.max(320, Math.floor(space / 80) * 80)
  const readProgress = async query => await unwrap(obra.GET('/api/v1/contracts/{id}/avance/', { params: { path, query }, signal }))
  const readEstimates = async query => await unwrap(obra.GET('/api/v1/estimates/', { params: { query }, signal }))
  const [contract, statement, progress, curve, estimates] = await Promise.all([
    unwrap(obra.GET('/api/v1/contracts/{id}/', { params: { path }, signal })),
    attempt(unwrap(obra.GET('/api/v1/contracts/{id}/estado-de-cuenta/', { params: { path }, signal }))),
    attempt(readProgress({ page_size: pageSize })),
    attempt(unwrap(obra.GET('/api/v1/contracts/{id}/avance/', { params: { path, query: { width } }, headers: { accept: 'image/svg+xml' }, parseAs: 'text', signal }))),
    attempt(readEstimates({ contract: id, page_size: pageSize }))
  ])
  const view = copy('contract')
  drawContract(view, contract)
  drawPart(view, 'statement', statement, data => drawStatement(view, data))
  drawPart(view, 'curve', curve, data => drawCurve(view, data))
  drawPart(view, 'progress', progress, data => drawProgress(view, contract, { first: data, read: readProgress, signal }))
  drawPart(view, 'estimates', estimates, data => drawEstimates(view, contract, { first: data, read: readEstimates, signal }))
  downloads(view, {
    'statement-pdf': ['/api/v1/contracts/{id}/estado-de-cuenta/', { path }, 'application/pdf'],
    'statement-csv': ['/api/v1/contracts/{id}/estado-de-cuenta/', { path }],
    'progress-csv': ['/api/v1/contracts/{id}/avance/', { path }],
    'estimates-csv': ['/api/v1/estimates/', { query: { contract: id } }]
  })
  return view
}

/** The data of an answer, or what the service says against it. @param {Promise<any>} answer @returns {Promise<{ data?: any, refusal?: string }>} */
async function attempt (answer) {
  return await answer.then(data => ({ data }), error => ({ refusal: inWords(error) }))
}

/**
 * Draws a part of the view, or says why it is missing. A busy service refuses reports and drawings first.
 * @param {string} name of the part
 * @param {Awaited<ReturnType<typeof attempt>>} answer
 */
function drawPart (view, name, answer, draw) {
  if (answer.refusal === undefined) return draw(answer.data)
  const problem = Object.assign(document.createElement('p'), { className: 'problem', textContent: `${text('missing')} ${answer.refusal}` })
  view.querySelector(`[data-part="${name}"]`).replaceChildren(problem)
}

function drawContract (view, contract) {
  const { folio, descripcion, contraparte, estado, fecha_inicio: start, fecha_fin: end } = contract
  fill(view, { folio, descripcion })
  drawFacts(view.querySelector('#summary'), [
    [text('contraparte'), contraparte ?? ''],
    [text('estado'), text(estado)],
    [text('periodo'), period(start, end)],
    ...amounts(contract, contract, ['monto', 'monto_original', 'monto_estimado', 'por_estimar'])
  ])
}

function drawStatement (view, statement) {
  const { moneda, anticipo, retenido, documentos } = statement
  fill(view, { documentsCaption: `${text('documentsCaption')} ${moneda}` })
  drawFacts(view.querySelector('#balance'), [
    ...amounts(statement, statement, ['neto', 'pagado', 'saldo']),
    ...amounts(statement, anticipo, ['por_amortizar']),
    ...retenido.map(({ tipo, antes_iva: isBeforeTax, importe }) => {
      return [`${text('retenido')}: ${text(tipo)}${isBeforeTax ? `, ${text('beforeTax')}` : ''}`, money(importe, moneda)]
    }),
    ...amounts(statement, statement, takings.filter(name => Number(statement[name]) !== 0))
  ])
  const titles = new Map(documentos.filter(({ tipo }) => tipo !== 'pago').map(({ id, tipo, numero }) => [id, `${text(tipo)} ${numero}`]))
  drawTable(view.querySelector('#documents'), [
    ['tipo', ({ tipo, estimate }) => tipo === 'pago' ? `${text('pago')} ${titles.get(estimate)}` : titles.get(estimate)],
    ['fecha', ({ fecha }) => day(fecha)],
    ['referencia', ({ referencia }) => referencia],
    ...['cargo', 'abono', 'saldo'].map(name => column(name, amount))
  ], documentos)
}

function drawCurve (view, curve) {
  const image = view.querySelector('.curve')
  image.src = `data:image/svg+xml,${encodeURIComponent(curve)}`
  image.alt = text('curve')
}

function drawProgress (view, { moneda }, pages) {
  drawPages(view.querySelector('#progress'), `${text('progressCaption')} ${moneda}`, [
    ['hasta', ({ hasta }) => day(hasta)],
    ...['programado', 'ejecutado'].map(name => column(name, amount)),
    ...['porcentaje_programado', 'porcentaje_ejecutado'].map(name => column(name, percent))
  ], pages)
}

function drawEstimates (view, { moneda }, pages) {
  drawPages(view.querySelector('#estimates'), `${text('estimatesCaption')} ${moneda}`, [
    ['numero', ({ numero, tipo }) => tipo === 'ordinaria' ? String(numero) : `${text(tipo)} ${numero}`],
    ['periodo', ({ periodo_inicio: from, periodo_fin: to }) => period(from, to)],
    ['estado', ({ estado }) => text(estado)],
    ...['monto', 'neto', 'por_pagar'].map(name => column(name, amount)),
    ['caratula', sheetButton]
  ], pages)
}

/** Downloads the cover sheet of an estimate. */
function sheetButton ({ id, tipo, numero }) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'plain', textContent: 'PDF' })
  button.ariaLabel = `PDF: ${text('caratula')}, ${text(tipo)} ${numero}`
  onClick(button, async () => await download('/api/v1/estimates/{id}/caratula/', { path: { id } }, 'application/pdf'))
  return button
}

/** @returns {[string, (row: any) => string, 'number']} */
function column (name, format) {
  return [name, row => format(row[name]), 'number']
}

/** @returns {Array<[string, string]>} */
function amounts ({ moneda }, values, names) {
  return names.map(name => [text(name), money(values[name], moneda)])
}

function period (from, to) {
  return [from, to].filter(date => date !== null).map(day).join(' – ')
}
