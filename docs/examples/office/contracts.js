import { unwrap } from 'obra-client'
import { downloads, obra } from './api.js'
import { copy, drawFacts, drawTable, fill } from './dom.js'
import { amount, day, money, text } from './texts.js'

const pageSize = 20

const states = ['vigente', 'suspendido', 'terminado', 'cancelado']

/** The list of contracts. @param {URLSearchParams} address `search`, `estado` and `page` */
export async function contractsView (address, signal) {
  const filters = Object.fromEntries(['search', 'estado'].map(name => [name, address.get(name)]).filter(([, value]) => value))
  const page = Number(address.get('page') ?? 1)
  const query = { ...filters, page, page_size: pageSize, totals: true }
  const { count, results, totals } = await unwrap(obra.GET('/api/v1/contracts/', { params: { query }, signal }))

  const view = copy('contracts')
  drawFilters(view.querySelector('form'), filters)
  drawFacts(view.querySelector('dl'), [
    [text('contracts'), String(count)],
    ...Object.entries(totals).map(([currency, { monto }]) => /** @type {[string, string]} */ ([`${text('total')} ${currency}`, amount(monto)]))
  ])
  drawTable(view.querySelector('table'), [
    ['folio', linkTo],
    ['contraparte', ({ contraparte }) => contraparte ?? ''],
    ['estado', ({ estado }) => text(estado)],
    ['fecha_fin', ({ fecha_fin: end }) => day(end)],
    ['monto', ({ monto, moneda }) => money(monto, moneda), 'number']
  ], results)
  drawPages(view, page, Math.max(1, Math.ceil(count / pageSize)), filters)
  downloads(view, { csv: ['/api/v1/contracts/', { query: filters }] })
  return view
}

function drawFilters (form, { search = '', estado = '' }) {
  const inputs = form.elements
  inputs.search.value = search
  inputs.estado.append(new Option(text('all'), ''), ...states.map(state => new Option(text(state), state)))
  inputs.estado.value = estado
  form.onsubmit = (event) => {
    event.preventDefault()
    location.hash = `#/?${new URLSearchParams({ search: inputs.search.value, estado: inputs.estado.value })}`
  }
}

function linkTo ({ id, folio }) {
  return Object.assign(document.createElement('a'), { href: `#/contract/${id}`, textContent: folio })
}

function drawPages (view, page, pages, filters) {
  fill(view, { page: `${text('page')} ${page} ${text('of')} ${pages}` })
  for (const [rel, other] of Object.entries({ prev: page - 1, next: page + 1 })) {
    const link = view.querySelector(`a[rel=${rel}]`)
    if (other < 1 || other > pages) link.remove()
    else link.href = `#/?${new URLSearchParams({ ...filters, page: String(other) })}`
  }
}
