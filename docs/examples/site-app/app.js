/*
 * Contracts, their estimates, measurements and photos on a phone, with or without a connection. The store keeps the records and the edits on this device. The views
 * show what the store has and pass edits to it. They never wait for the service.
 */
import { createObraClient } from 'obra-client'
import { openStore } from 'obra-client/sync'
import { dexieStorage } from 'obra-client/sync/dexie'
import { copy, drawList, fieldsOf, fill, fillForm, inputsOf, messagesOf, onClick, onSubmit, save, searchable, valuesOf } from './dom.js'
import { measureView } from './measure.js'
import { drawPhoto } from './photos.js'
import { amount, grouped } from './quantities.js'
import { forgetProblems, separate, showProblems, showProblemsOf } from './problems.js'
import { language, locale, switchLanguage, text, translate } from './texts.js'

const obra = createObraClient({
  language,
  // Read again before each refresh: several tabs share the session.
  tokens: () => JSON.parse(localStorage.getItem('tokens')) ?? undefined,
  onTokens: tokens => localStorage.setItem('tokens', JSON.stringify(tokens)),
  onLogout (error) {
    endSession()
    notice.textContent = `${error.message} ${text('ended')}`
  }
})

const store = await openStore({ client: obra, storage: dexieStorage('obra-site-app'), resources: ['generadores', 'adjuntos'] })

const [main, sessionBar, statusLine, notice, syncButton, logOutButton, languageButton] = ['main', 'session', 'status', 'notice', 'sync', 'log-out', 'language'].map(id => document.getElementById(id))

/** Contracts that the list shows at a time. */
const mostRows = 100

/** Texts that name records which belong to an estimate. */
const textOf = { generadores: 'ofLine', adjuntos: 'ofPhoto' }

/** States of records, the most urgent last. */
const urgency = ['synced', 'pending', 'blocked', 'refused', 'conflict']

/** Codes of failures that have texts. Other failures are shown in the words of the service. */
const failures = ['offline', 'session_ended', 'server_busy', 'server_error', 'proxy_error']

/** Functions that stop the watches of the present view. */
const stops = []

/** Views by name. Each fills a copy of the template with its name. @type {Record<string, (view: any, id?: string) => void>} */
const views = {
  contracts (view) {
    const search = view.querySelector('input')
    let [contracts, estimates, generadores, names] = [[], [], [], new Map()]
    const draw = () => {
      const words = searchable(search.value).split(' ')
      const found = contracts
        .map(contract => ({ ...contract, contraparte: names.get(contract.contraparte_id) ?? '', sync: mostUrgent(contract, estimates, generadores) }))
        .filter(({ folio, contraparte, descripcion }) => words.every(word => searchable(`${folio} ${contraparte} ${descripcion}`).includes(word)))
        .sort((one, other) => urgency.indexOf(other.sync) - urgency.indexOf(one.sync))
      const name = text('contracts').toLowerCase()
      fill(view, { count: found.length > mostRows ? `${mostRows} / ${found.length} ${name}` : `${found.length} ${name}` })
      drawList(view.querySelector('.rows'), found.slice(0, mostRows), 'contract-row', ({ id }) => id, (row, contract) => {
        row.querySelector('a').href = `#/contract/${contract.id}`
        fill(row, { ...contract, monto: money(contract) })
      })
      drawProblems(view, { contracts, estimates, generadores }, () => true)
      const failed = store.files.progress.filter(({ state }) => state === 'failed' || state === 'blocked')
      drawList(view.querySelector('.photo-rows'), failed, 'photo', ({ id }) => id, (row, photo) => drawPhoto(row, photo, store))
    }
    search.oninput = draw
    stops.push(store.contrapartes.watch(undefined, (list) => { names = new Map(list.map(({ id, nombre }) => [id, nombre])); draw() }))
    stops.push(store.estimates.watch(undefined, (list) => { estimates = list; draw() }))
    stops.push(store.generadores.watch(({ sync }) => sync !== 'synced', (list) => { generadores = list; draw() }))
    stops.push(store.contracts.watch(undefined, (list) => { contracts = list; draw() }))
    stops.push(store.onStatus(draw))
    stops.push(store.files.onProgress(draw))
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
      fill(view.querySelector('hgroup'), { folio: contract?.folio ?? text('notHere'), contraparte: contraparte?.nombre, sync: contract?.sync })
      if (contract !== undefined) {
        fillForm(form, contract)
        showProblems(form, 'contracts', contract, store.refused)
      }
      drawList(view.querySelector('.rows'), estimates, 'estimate', ({ id }) => id, drawEstimate)
      drawProblems(view, { contracts: contract === undefined ? [] : [contract], estimates }, record => record !== undefined)
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
      if (!confirm(text('removeContract'))) return
      await store.contracts.remove(contract.id)
      location.hash = '#/'
    })
    onSubmit(estimateForm, async () => {
      await store.estimates.create({ ...valuesOf(estimateForm), contract: contract.id })
      estimateForm.reset()
    })
  },

  measure: (view, id) => measureView(view, id, { store, obra, stops, drawProblems })
}

function drawEstimate (row, estimate) {
  const form = row.querySelector('form')
  const { id, numero, estado } = estimate
  fill(row, { ...estimate, title: numero === undefined ? text('newEstimate') : `${text('estimate')} ${numero}` })
  fillForm(form, estimate)
  showProblems(form, 'estimates', estimate, store.refused)
  row.querySelector('a').href = `#/measure/${id}`
  // The service accepts changes of drafts only. With measurements, the amount is their sum.
  form.elements.monto.readOnly = estado !== 'borrador' || (estimate.lineas ?? 0) > 0
  for (const button of form.querySelectorAll('button')) button.hidden = estado !== 'borrador'
  onSubmit(form, async () => await save(form, store.estimates, estimate))
  onClick(form.elements.remove, async () => { if (confirm(text('removeEstimate'))) await store.estimates.remove(id) })
}

/**
 * Shows conflicts, refused and blocked edits, if `isShown` returns true for their record, which is undefined if it is not in the lists.
 * @param {Record<string, any[]>} lists records by resource
 */
function drawProblems (view, lists, isShown) {
  const find = (resource, id) => lists[resource]?.find(record => record.id === id)
  const show = (kind, problems, draw) => {
    const shown = problems.filter(({ resource, id }) => isShown(find(resource, id)))
    drawList(view.querySelector(`.${kind}s`), shown, kind, ({ resource, id, op }) => `${resource} ${id} ${op}`, (form, problem) => {
      const { resource, id } = problem
      // A record can be removed elsewhere, or not be read yet.
      const record = find(resource, id) ?? problem.body ?? {}
      const estimate = resource === 'estimates' ? { id, ...record } : resource === 'generadores' || resource === 'adjuntos' ? find('estimates', record.estimate) : undefined
      const contract = resource === 'contracts' ? { id, ...record } : find('contracts', estimate?.contract)
      const parts = [contract?.folio ?? text('contract').toLowerCase(), ...estimate === undefined ? [] : [`${text('estimate').toLowerCase()} ${estimate.numero ?? ''}`]]
      const name = parts.join(', ').trim()
      fill(form, { record: resource in textOf ? text(textOf[resource], name) : name })
      const isOfEstimate = resource in textOf && estimate !== undefined
      for (const link of form.querySelectorAll('a')) link.href = isOfEstimate ? `#/measure/${estimate.id}` : `#/contract/${contract?.id}`
      draw(form, problem)
    })
  }
  show('conflict', store.conflicts, drawConflict)
  show('refusal', store.refused, drawRefusal)
  show('blocked-edit', store.blocked, drawBlocked)
}

function drawConflict (form, { fields, keepMine, keepTheirs, set }) {
  drawList(form.querySelector('.fields'), Object.entries(fields), 'conflict-field', ([name]) => name, (row, [name, values]) => {
    row.querySelector('input').name = name
    const shown = name === 'monto' ? Object.fromEntries(Object.entries(values).map(([whose, value]) => [whose, grouped(locale, value)])) : values
    fill(row, { name: text(name), ...shown })
  })
  fillForm(form, Object.fromEntries(Object.entries(fields).map(([name, { mine }]) => [name, mine])))
  onClick(form.elements.mine, keepMine)
  onClick(form.elements.theirs, keepTheirs)
  onSubmit(form, async () => await set(valuesOf(form)))
}

function drawRefusal (form, { op, body, errors, detail, discard }) {
  const messages = messagesOf(errors)
  fill(form, {
    op: text({ create: 'notCreated', update: 'notChanged', delete: 'notRemoved' }[op]),
    reason: messages.length === 0 ? detail : messages.join(' '),
    body: Object.entries(body).map(([field, value]) => `${text(field)}: ${value ?? '–'}`).join(', ')
  })
  onSubmit(form, discard)
}

function drawBlocked (form, { body, detail, retry, discard }) {
  fill(form, { reason: detail, body: Object.entries(body).map(([field, value]) => `${text(field)}: ${value ?? '–'}`).join(', ') })
  onClick(form.elements.retry, retry)
  onSubmit(form, discard)
}

function route () {
  for (const stop of stops.splice(0)) stop()
  const [name, id] = location.hash.slice(2).split('/')
  const isLoggedIn = localStorage.getItem('tokens') !== null
  showProblemsOf(obra.user)
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
  const { pending, waiting, conflicts, refused, blocked, lastSync, revision, error, code } = store.status
  const photos = unsentPhotos()
  const failed = store.files.progress.filter(({ state }) => state === 'failed' || state === 'blocked').length
  const reason = failures.includes(code) ? text(code) : error
  const isSynced = revision !== undefined && pending === 0
  const state = !navigator.onLine ? text('offline') : error !== undefined ? `${text('notSynchronized')}: ${reason}` : text(isSynced ? 'synchronized' : 'synchronizing')
  const counts = Object.entries({
    toSend: pending,
    onHold: waiting,
    inConflict: conflicts,
    toCorrect: refused,
    heldUp: blocked,
    [photos === 1 ? 'photoToSend' : 'photosToSend']: photos,
    [failed === 1 ? 'photoFailed' : 'photosFailed']: failed
  }).filter(([, count]) => count > 0).map(([name, count]) => `${count} ${text(name)}`)
  const last = lastSync === undefined ? [] : [`${text('updated')} ${new Date(lastSync).toTimeString().slice(0, 5)}`]
  const line = sessionBar.hidden ? '' : [state, ...counts, ...last].join(' · ')
  statusLine.classList.toggle('notable', state !== text('synchronized') || counts.length > 0)
  // Screen readers read the line again when it is set.
  if (statusLine.textContent !== line) statusLine.textContent = line
}

function endSession () {
  if (localStorage.getItem('tokens') === null) return
  localStorage.removeItem('tokens')
  store.stop()
  main.prepend(logInView(obra.user))
  showStatus()
}

function mostUrgent (contract, estimates, generadores) {
  const own = estimates.filter(estimate => estimate.contract === contract.id)
  const lines = generadores.filter(({ estimate }) => own.some(({ id }) => id === estimate))
  const states = [contract, ...own, ...lines].map(({ sync }) => sync)
  return urgency.findLast(state => states.includes(state))
}

function unsentPhotos () {
  return store.files.progress.filter(({ state }) => state === 'waiting' || state === 'sending').length
}

function pendingText ({ pending, waiting, conflicts, refused, blocked }) {
  const count = pending + waiting + conflicts + refused + blocked
  const photos = store.files.progress.filter(({ state }) => state !== 'done').length
  const edits = count === 1 ? text('oneEditLost') : text('editsLost', count)
  if (photos === 0) return edits
  const without = photos === 1 ? text('onePhotoLost') : text('photosLost', photos)
  return count === 0 ? without : `${edits} ${without}`
}

/** The amount of a contract. An edit that the service has not checked can have any text. */
function money ({ monto, moneda = 'MXN' }) {
  const number = amount(monto ?? '0')
  return number === undefined ? monto : new Intl.NumberFormat(locale, { style: 'currency', currency: moneda }).format(/** @type {any} */ (number))
}

onClick(syncButton, async () => await store.sync().catch(showStatus))

onClick(logOutButton, async () => {
  await store.stop()
  try {
    await store.clear()
  } catch (error) {
    if (error.code !== 'pending') throw error
    if (!confirm(`${pendingText(store.status)} ${text('leave')}`)) return store.start()
    await store.clear({ force: true })
  }
  forgetProblems()
  endSession()
  route()
  // Another tab can have synchronized meanwhile.
  await store.clear({ force: true })
  // Without a connection, the session ends only on this device.
  await obra.logOut().catch(() => {})
})

languageButton.onclick = switchLanguage

store.onStatus(showStatus)
store.onStatus(() => separate(store))
store.files.onProgress(showStatus)
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
document.documentElement.lang = language
document.title = text('title')
translate(document.querySelector('header'))
Object.assign(languageButton, { textContent: text('other'), lang: language === 'es' ? 'en' : 'es' })
navigator.serviceWorker?.register('service-worker.js')
route()
if (obra.user !== undefined) store.start()
