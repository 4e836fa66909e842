/*
 * Measurements of an estimate: a concept of the catalogue with pieces, length, width and height, or a quantity. All sums come from the
 * records on the phone. With a connection, the earlier quantities come from the service.
 */
import { drawList, fill, inputsOf, onClick, onSubmit, searchable, valuesOf } from './dom.js'
import { photosOf } from './photos.js'
import { print, product, read, show, sum } from './quantities.js'
import { text } from './texts.js'

const dimensions = ['piezas', 'largo', 'ancho', 'alto']
/** Concepts that a search shows. */
const mostChoices = 8
/** Estimates in these states are fixed, and count as earlier ones. */
const authorized = ['autorizada', 'pagada']

/**
 * @param {any} view
 * @param {string | undefined} id of the estimate
 * @param {{ store: any, obra: any, stops: Array<() => void>, drawProblems: Function }} app
 */
export function measureView (view, id, { store, obra, stops, drawProblems }) {
  const form = view.querySelector('form')
  const [search, choices, rows] = ['.search', '.choices', '.rows'].map(name => view.querySelector(name))
  const section = view.querySelector('.chosen')
  const { cantidad } = form.elements
  let [estimate, contract, chosen] = [undefined, undefined, undefined]
  let [estimates, convenios, conceptos, generadores, attachments] = [[], [], [], [], []]
  const showPhotos = photosOf(view, store)
  /** Earlier quantities and those in force by concept, as the service has them. @type {Map<unknown, { anterior: bigint, vigente: bigint }>} */
  let reported = new Map()

  const draw = () => {
    const isDraft = estimate?.estado === 'borrador'
    form.hidden = !isDraft
    const name = estimate?.numero === undefined ? text('newEstimate') : `${text('estimate')} ${estimate.numero}`
    fill(view.querySelector('hgroup'), {
      title: estimate === undefined ? text('notHere') : name,
      subtitle: [contract?.folio, contract?.descripcion].filter(Boolean).join(' · '),
      sync: estimate?.sync
    })
    view.querySelector('.back').href = `#/contract/${contract?.id}`
    fill(view, { closed: estimate === undefined || isDraft ? '' : text('closed', text(estimate.estado)) })
    drawChoices()
    drawChosen()
    const own = generadores.filter(line => line.estimate === estimate?.id)
    drawList(rows, own.toReversed(), 'line', line => line.id, (row, line) => drawLine(row, line, isDraft))
    fill(view, { count: own.length === 0 ? text('noMeasurements') : own.length === 1 ? text('oneMeasurement') : `${own.length} ${text('measurements').toLowerCase()}.` })
    showPhotos(estimate, attachments)
    const lists = { contracts: contract === undefined ? [] : [contract], estimates: estimate === undefined ? [] : [estimate], generadores: own }
    drawProblems(view, lists, record => record !== undefined && record !== contract)
  }

  const drawChoices = () => {
    view.querySelector('.picker').hidden = chosen !== undefined
    const words = searchable(search.value).split(' ')
    const found = conceptos.filter(isMeasurable).filter(({ clave, descripcion, capitulo }) => words.every(word => searchable(`${clave} ${descripcion} ${capitulo}`).includes(word)))
    drawList(choices, found.slice(0, mostChoices), 'choice', concepto => concepto.id, (row, concepto) => {
      fill(row, concepto)
      onClick(row.querySelector('button'), async () => {
        chosen = concepto
        draw()
        form.elements.ubicacion.focus()
      })
    })
    const rest = found.length - mostChoices
    fill(form, { found: conceptos.length === 0 ? text('noCatalogue') : found.length === 0 ? text('noConcept') : rest > 0 ? text('moreConcepts', rest) : '' })
  }

  const drawChosen = () => {
    section.hidden = chosen === undefined
    if (chosen === undefined) return
    const { unidad } = chosen
    const [before, now, total] = [previous(chosen), sum(quantitiesIn(estimate?.id)), inForce(chosen)]
    const quantity = entered()
    const after = before + now + (quantity ?? 0n)
    const unit = (/** @type {bigint} */ value) => `${show(value)} ${unidad}`
    fill(section, { ...chosen, vigente: show(total), anterior: show(before), periodo: show(now), unidad: `(${unidad})`, acumulado: unit(after) })
    fill(section, { warning: after > total ? text('exceeds', unit(after - total)) : after < 0n ? text('negative') : '' })
    const isProduct = dimensions.some(name => form.elements[name].value.trim() !== '')
    cantidad.readOnly = isProduct
    if (isProduct) cantidad.value = quantity === undefined ? '' : print(quantity)
  }

  /** Quantities of the chosen concept in an estimate. */
  const quantitiesIn = of => generadores.filter(line => line.estimate === of && line.concepto === chosen.id).map(quantityOf)

  const previous = (concepto) => {
    const known = reported.get(concepto.id)
    if (known !== undefined) return known.anterior
    const before = estimates.filter(({ estado, numero }) => authorized.includes(estado) && (estimate?.numero === undefined || numero < estimate.numero))
    return sum(before.flatMap(({ id }) => quantitiesIn(id)))
  }

  /** The quantity in force: the rows of the code that count. Additions count from the authorization of their change order. */
  const inForce = ({ id, clave }) => {
    const known = reported.get(id)
    if (known !== undefined) return known.vigente
    return sum(conceptos.filter(row => row.clave === clave).filter(({ convenio, cantidad }) => {
      const state = convenio === null ? 'firmado' : convenios.find(({ id }) => id === convenio)?.estado
      return state === 'firmado' || (state === 'autorizado' && !cantidad.startsWith('-'))
    }).map(({ cantidad }) => cantidad))
  }

  /** The quantity that the form has. Undefined if a value is missing or is no number. */
  const entered = () => {
    const given = dimensions.map(name => form.elements[name].value.trim()).filter(Boolean)
    const factors = (given.length === 0 ? [cantidad.value] : given).map(read)
    return factors.includes(undefined) ? undefined : product(factors)
  }

  const drawLine = (row, line, isDraft) => {
    const concepto = conceptos.find(({ id }) => id === line.concepto)
    const size = dimensions.map(name => line[name]).filter(value => value != null).map(value => show(read(value) ?? 0n)).join(' × ')
    fill(row, {
      clave: concepto?.clave ?? text('concept'),
      cantidad: `${show(sum([quantityOf(line)]))} ${concepto?.unidad ?? ''}`,
      detail: [line.ubicacion, size, line.observaciones].filter(Boolean).join(' · '),
      sync: line.sync
    })
    const remove = row.querySelector('button')
    remove.hidden = !isDraft
    remove.setAttribute('aria-label', `${text('take')} ${concepto?.clave ?? ''} ${line.ubicacion}`.trim())
    onClick(remove, async () => { if (confirm(text('removeLine'))) await store.generadores.remove(line.id) })
  }

  /** Asks the service for the earlier quantities, if it has the estimate. Without an answer, the records on the phone count. */
  const ask = async () => {
    if (typeof estimate?.id !== 'number' || !navigator.onLine) return
    const found = new Map()
    for (let page = 1; ; page++) {
      const query = { page, page_size: 100, todos: true }
      const { data } = await obra.GET('/api/v1/estimates/{id}/conceptos/', { params: { path: { id: estimate.id }, query } })
      if (data === undefined) return
      for (const { concepto, anterior, cantidad_vigente: vigente } of data.results) found.set(concepto, { anterior: sum([anterior]), vigente: sum([vigente]) })
      if (data.next === null) break
    }
    reported = found
    draw()
  }

  search.oninput = drawChoices
  form.oninput = (event) => { if (event.target !== search) drawChosen() }
  onClick(form.elements.change, async () => {
    chosen = undefined
    draw()
    search.focus()
  })
  onSubmit(form, async () => {
    // Enter in the search field chooses the only match.
    if (chosen === undefined) return choices.querySelector('button')?.click()
    const quantity = entered()
    if (quantity === undefined) throw new Error(text('noQuantity'))
    const { cantidad: given, ...values } = valuesOf(form)
    const sizes = dimensions.filter(name => values[name] !== undefined).map(name => [name, print(read(values[name]) ?? 0n)])
    const body = { ...values, ...Object.fromEntries(sizes), ...sizes.length === 0 && { cantidad: print(quantity) } }
    await store.generadores.create({ ...body, estimate: estimate.id, concepto: chosen.id })
    // The place stays: the next measurement is often there too.
    for (const input of inputsOf(form)) if (input.name !== 'ubicacion') input.value = ''
    draw()
    form.elements.piezas.focus()
  })

  stops.push(store.estimates.watch(record => String(record.id) === id, async ([record]) => {
    const isOther = estimate?.id !== record?.id
    estimate = record
    contract = record === undefined ? undefined : await store.contracts.get(record.contract)
    if (!view.isConnected) return
    draw()
    if (!isOther || record === undefined) return
    stops.push(store.estimates.watch({ contract: record.contract }, (list) => { estimates = list; draw() }))
    stops.push(store.conceptos.watch({ contract: record.contract }, (list) => { conceptos = list.sort(byClave); draw() }))
    stops.push(store.convenios.watch({ contract: record.contract }, (list) => { convenios = list; draw() }))
    stops.push(store.generadores.watch(undefined, (list) => { generadores = list; draw() }))
    stops.push(store.adjuntos.watch({ estimate: record.id }, (list) => { attachments = list; draw() }))
    await ask().catch(() => {})
  }))
  stops.push(store.onStatus(draw))
  stops.push(store.files.onProgress(() => showPhotos(estimate, attachments)))
}

/** The quantity of a line. The service has not calculated that of a new one. */
function quantityOf (line) {
  const given = dimensions.map(name => line[name]).filter(value => value != null).map(read)
  return given.length > 0 ? print(product(given)) : line.cantidad
}

/** A reduction of a change order is never measured. */
function isMeasurable ({ cantidad }) {
  return (read(cantidad) ?? 0n) >= 0n
}

const natural = new Intl.Collator('es', { numeric: true })

function byClave (one, other) {
  return natural.compare(one.clave, other.clave)
}
