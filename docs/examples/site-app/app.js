/*
 * Contracts and their estimates on a phone, with or without a connection. The store keeps the records and the edits on this device. The views
 * show what the store has and pass edits to it. They never wait for the service.
 */
import { createObraClient } from 'obra/client'
import { openStore } from 'obra/client/sync'
import { dexieStorage } from 'obra/client/sync/dexie'

const obra = createObraClient({
  // Read again before each refresh: several tabs share the session.
  tokens: () => JSON.parse(localStorage.getItem('tokens')) ?? undefined,
  onTokens: tokens => localStorage.setItem('tokens', JSON.stringify(tokens)),
  onLogout (error) {
    endSession()
    notice.textContent = `${error.message} Log in again. Your edits are still on this device.`
  }
})

const store = await openStore({ client: obra, storage: dexieStorage('obra-site-app') })

const [main, sessionBar, statusLine, notice, syncButton, logOutButton] = ['main', 'session', 'status', 'notice', 'sync', 'log-out'].map(id => document.getElementById(id))

/** Contracts that the list shows at a time. */
const mostRows = 100

/** Fields that are null if their input is empty. */
const nullable = ['contraparte', 'fecha_inicio', 'fecha_fin']

/** States of records, the most urgent last. */
const urgency = ['synced', 'pending', 'refused', 'conflict']

/** Functions that stop the watches of the present view. */
const stops = []

/** Views by name. Each fills a copy of the template with its name. @type {Record<string, (view: any, id?: string) => void>} */
const views = {
  contracts (view) {
    const search = view.querySelector('input')
    let [contracts, estimates, names] = [[], [], new Map()]
    const draw = () => {
      const words = searchable(search.value).split(' ')
      const found = contracts
        .map(contract => ({ ...contract, contraparte: names.get(contract.contraparte_id) ?? '', sync: mostUrgent(contract, estimates) }))
        .filter(({ folio, contraparte, descripcion }) => words.every(word => searchable(`${folio} ${contraparte} ${descripcion}`).includes(word)))
        .sort((one, other) => urgency.indexOf(other.sync) - urgency.indexOf(one.sync))
      fill(view, { count: found.length > mostRows ? `${mostRows} of ${found.length} contracts` : `${found.length} contracts` })
      drawList(view.querySelector('.rows'), found.slice(0, mostRows), 'contract-row', ({ id }) => id, (row, contract) => {
        row.querySelector('a').href = `#/contract/${contract.id}`
        fill(row, { ...contract, monto: money(contract) })
      })
      drawProblems(view, contracts, estimates, () => true)
    }
    search.oninput = draw
    stops.push(store.contrapartes.watch(undefined, (list) => { names = new Map(list.map(({ id, nombre }) => [id, nombre])); draw() }))
    stops.push(store.estimates.watch(undefined, (list) => { estimates = list; draw() }))
    stops.push(store.contracts.watch(undefined, (list) => { contracts = list; draw() }))
    stops.push(store.onStatus(draw))
  },

  new (view) {
    const form = view.querySelector('form')
    const { contraparte } = form.elements
    let contrapartes = []
    stops.push(store.contrapartes.watch({ activo: true }, (list) => {
      contrapartes = list
      const { value } = contraparte
      contraparte.replaceChildren(contraparte.options[0], ...list.map(({ id, nombre }) => new Option(nombre, String(id))))
      contraparte.value = value
    }))
    onSubmit(form, async () => {
      const chosen = contrapartes.find(({ id }) => String(id) === contraparte.value)
      const { id } = await store.contracts.create({ ...valuesOf(form), contraparte: chosen?.id ?? null })
      location.hash = `#/contract/${id}`
    })
  },

  contract (view, id) {
    const [form, estimateForm] = view.querySelectorAll('form')
    let [contract, contraparte, estimates] = [undefined, undefined, []]
    const draw = () => {
      form.hidden = estimateForm.hidden = contract === undefined
      fill(view.querySelector('hgroup'), { folio: contract?.folio ?? 'Not on this device', contraparte: contraparte?.nombre, sync: contract?.sync })
      if (contract !== undefined) fillForm(form, contract)
      drawList(view.querySelector('.rows'), estimates, 'estimate', ({ id }) => id, drawEstimate)
      drawProblems(view, contract === undefined ? [] : [contract], estimates, record => record !== undefined)
    }
    stops.push(store.contracts.watch(record => String(record.id) === id, async ([record]) => {
      contract = record
      contraparte = record?.contraparte_id == null ? undefined : await store.contrapartes.get(record.contraparte_id)
      draw()
    }))
    stops.push(store.estimates.watch(record => String(record.contract) === id, (list) => { estimates = list; draw() }))
    stops.push(store.onStatus(draw))
    onSubmit(form, async () => await save(form, store.contracts, contract))
    onClick(form.elements.remove, async () => {
      await store.contracts.remove(contract.id)
      location.hash = '#/'
    })
    onSubmit(estimateForm, async () => {
      await store.estimates.create({ ...valuesOf(estimateForm), contract: contract.id })
      estimateForm.reset()
    })
  }
}

function drawEstimate (row, estimate) {
  const form = row.querySelector('form')
  const { id, numero, estado } = estimate
  fill(row, { ...estimate, title: numero === undefined ? 'New estimate' : `Estimate ${numero}` })
  fillForm(form, estimate)
  // The service accepts changes of drafts only.
  form.elements.monto.readOnly = estado !== 'borrador'
  for (const button of form.querySelectorAll('button')) button.hidden = estado !== 'borrador'
  onSubmit(form, async () => await save(form, store.estimates, estimate))
  onClick(form.elements.remove, async () => await store.estimates.remove(id))
}

/** Shows conflicts and refused edits, if `isShown` returns true for their record, which is undefined if it is not in the lists. */
function drawProblems (view, contracts, estimates, isShown) {
  const recordOf = ({ resource, id }) => (resource === 'contracts' ? contracts : estimates).find(record => record.id === id)
  const show = (kind, problems, draw) => {
    const shown = problems.filter(problem => isShown(recordOf(problem)))
    drawList(view.querySelector(`.${kind}s`), shown, kind, ({ resource, id, op }) => `${resource} ${id} ${op}`, (form, problem) => {
      // A record can be removed elsewhere, or not be read yet.
      const record = recordOf(problem) ?? problem.body ?? {}
      const isEstimate = problem.resource === 'estimates'
      const contract = isEstimate ? contracts.find(({ id }) => id === record.contract) : record
      fill(form, { record: `${contract?.folio ?? 'contract'}${isEstimate ? ` estimate ${record.numero ?? ''}` : ''}` })
      for (const link of form.querySelectorAll('a')) link.href = `#/contract/${contract?.id}`
      draw(form, problem)
    })
  }
  show('conflict', store.conflicts, drawConflict)
  show('refusal', store.refused, drawRefusal)
}

function drawConflict (form, { fields, keepMine, keepTheirs, set }) {
  drawList(form.querySelector('.fields'), Object.entries(fields), 'conflict-field', ([name]) => name, (row, [name, values]) => {
    row.querySelector('input').name = name
    fill(row, { name, ...values })
  })
  fillForm(form, Object.fromEntries(Object.entries(fields).map(([name, { mine }]) => [name, mine])))
  onClick(form.elements.mine, keepMine)
  onClick(form.elements.theirs, keepTheirs)
  onSubmit(form, async () => await set(valuesOf(form)))
}

function drawRefusal (form, { op, body, errors, detail, discard }) {
  const messages = Object.entries(errors).map(([field, texts]) => `${field}: ${texts.join(' ')}`)
  fill(form, {
    op: { create: 'not created', update: 'not changed', delete: 'not removed' }[op],
    reason: messages.length === 0 ? detail : messages.join(' '),
    body: Object.entries(body).map(([field, value]) => `${field}: ${value}`).join(', ')
  })
  onSubmit(form, discard)
}

function route () {
  for (const stop of stops.splice(0)) stop()
  const [name, id] = location.hash.slice(2).split('/')
  const isLoggedIn = localStorage.getItem('tokens') !== null
  const shown = Object.hasOwn(views, name) ? name : 'contracts'
  const view = isLoggedIn ? copy(shown) : logInView()
  main.replaceChildren(view)
  if (isLoggedIn) views[shown](view, id)
  showStatus()
}

/** @param {number} [user] keeps the view below the form, with all typed text, if this user logs in */
function logInView (user) {
  const view = copy('log-in')
  const form = view.querySelector('form')
  onSubmit(form, async () => {
    await obra.logIn(fieldsOf(inputsOf(form), ({ value }) => value))
    // Browsers can delete other data when the disk is full, and Safari after seven days.
    navigator.storage?.persist?.()
    store.start()
    if (obra.user !== user) return route()
    view.remove()
    showStatus()
  })
  return view
}

function showStatus () {
  sessionBar.hidden = localStorage.getItem('tokens') === null
  const { pending, waiting, conflicts, refused, lastSync, revision, error } = store.status
  const isSynced = revision !== undefined && pending === 0
  const state = !navigator.onLine ? 'Offline' : error !== undefined ? `Not synced: ${error}` : isSynced ? 'Synced' : 'Syncing …'
  const counts = Object.entries({ pending, waiting, 'in conflict': conflicts, refused }).filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`)
  const last = lastSync === undefined ? [] : [`last sync ${new Date(lastSync).toTimeString().slice(0, 5)}`]
  const text = sessionBar.hidden ? '' : [state, ...counts, ...last].join(' · ')
  statusLine.classList.toggle('notable', state !== 'Synced' || counts.length > 0)
  // Screen readers read the line again when it is set.
  if (statusLine.textContent !== text) statusLine.textContent = text
}

function endSession () {
  if (localStorage.getItem('tokens') === null) return
  localStorage.removeItem('tokens')
  store.stop()
  main.prepend(logInView(obra.user))
  showStatus()
}

/** Fills the elements of fields with values. */
function fill (element, values) {
  for (const [field, value] of Object.entries(values)) {
    for (const place of element.querySelectorAll(`[data-field="${field}"]`)) place.textContent = place.dataset.value = value ?? ''
  }
}

/** Shows a list. The element of an item stays the same, so that input and focus stay too. */
function drawList (list, items, template, keyOf, draw) {
  const before = new Map([...list.children].map(child => [child.dataset.key, child]))
  for (const [index, item] of items.entries()) {
    const key = String(keyOf(item))
    const child = before.get(key) ?? copy(template)
    before.delete(key)
    child.dataset.key = key
    if (list.children[index] !== child) list.insertBefore(child, list.children[index] ?? null)
    draw(child, item)
  }
  for (const child of before.values()) child.remove()
}

function copy (name) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(name))
  return document.importNode(template.content, true).firstElementChild
}

/** Shows values in the inputs of a form. An input that the user has changed keeps the change, and the value that the user saw before. */
function fillForm (form, values) {
  for (const input of form.elements) {
    if (!Object.hasOwn(values, input.name)) continue
    const { dataset } = input
    if (dataset.shown !== undefined && input.value !== dataset.shown) continue
    input.value = dataset.base = values[input.name] ?? ''
    // The browser may have changed line breaks.
    dataset.shown = input.value
  }
}

/** Values of a form's inputs. */
function valuesOf (form) {
  return fieldsOf(inputsOf(form).filter(({ value, dataset }) => value !== '' || dataset.shown !== undefined), ({ value }) => value)
}

/** Saves the inputs that the user has changed, so that edits of other fields elsewhere are no conflict. */
async function save (form, collection, { id }) {
  const changed = inputsOf(form).filter(({ value, dataset }) => value !== dataset.shown)
  if (changed.length === 0) return
  const saved = changed.map(({ value }) => value)
  await collection.update(id, fieldsOf(changed, ({ value }) => value), { base: fieldsOf(changed, ({ dataset }) => dataset.base) })
  for (const [index, { dataset }] of changed.entries()) dataset.shown = dataset.base = saved[index]
}

function inputsOf (form) {
  return [...form.elements].filter(input => input.matches('input, select, textarea'))
}

/** @returns {any} values by field */
function fieldsOf (inputs, valueOf) {
  return Object.fromEntries(inputs.map(input => [input.name, valueOf(input) === '' && nullable.includes(input.name) ? null : valueOf(input)]))
}

function onSubmit (form, work) {
  form.onsubmit = async (event) => {
    event.preventDefault()
    await perform(event.submitter, work)
  }
}

function onClick (button, work) {
  button.onclick = async () => await perform(button, work)
}

/** Runs the work of a button and shows its error. */
async function perform (button, work) {
  button.disabled = true
  notice.textContent = ''
  try {
    await work()
  } catch (error) {
    notice.textContent = [error.message, ...Object.values(error.errors ?? {}).flat()].join(' ')
  } finally {
    button.disabled = false
  }
}

function mostUrgent (contract, estimates) {
  const states = [contract, ...estimates.filter(estimate => estimate.contract === contract.id)].map(({ sync }) => sync)
  return urgency.findLast(state => states.includes(state))
}

function searchable (text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

function money ({ monto, moneda }) {
  return new Intl.NumberFormat('es-MX', { style: 'currency', currency: moneda }).format(monto)
}

onClick(syncButton, async () => await store.sync().catch(showStatus))

onClick(logOutButton, async () => {
  await store.stop()
  try {
    await store.clear()
  } catch (error) {
    if (error.code !== 'pending') throw error
    if (!confirm(`${error.message} Log out and lose the edits?`)) return store.start()
    await store.clear({ force: true })
  }
  endSession()
  route()
  // Another tab can have synchronized meanwhile.
  await store.clear({ force: true })
  // Without a connection, the session ends only on this device.
  await obra.logOut().catch(() => {})
})

store.onStatus(showStatus)
// Another tab has logged in or out.
addEventListener('storage', ({ key, oldValue, newValue }) => { if (key === 'tokens' && (oldValue === null || newValue === null)) location.reload() })
addEventListener('online', showStatus)
addEventListener('offline', showStatus)
addEventListener('hashchange', () => {
  notice.textContent = ''
  route()
  scrollTo(0, 0)
  main.querySelector('h1').focus({ preventScroll: true })
})
navigator.serviceWorker?.register('service-worker.js')
route()
if (obra.user !== undefined) store.start()
