/*
 * Views without a framework: templates, lists and forms. An element with `data-field` shows a value, an input with a `name` edits one.
 */

const notice = document.getElementById('notice')

/** Texts of the states of records and photos. */
const marks = {
  synced: '',
  pending: 'pendiente',
  conflict: 'en conflicto',
  refused: 'rechazado',
  waiting: 'por enviar',
  sending: 'enviando',
  failed: 'no se envió',
  done: 'enviada',
  elsewhere: 'en otro dispositivo'
}

/** Fields that are null if their input is empty. */
const nullable = ['contraparte', 'fecha_inicio', 'fecha_fin', 'piezas', 'largo', 'ancho', 'alto']

/** Fills the elements of fields with values. */
export function fill (element, values) {
  for (const [field, value] of Object.entries(values)) {
    for (const place of element.querySelectorAll(`[data-field="${field}"]`)) {
      place.dataset.value = value ?? ''
      place.textContent = field === 'sync' ? marks[value] ?? '' : value ?? ''
    }
  }
}

/** Shows a list. The element of an item stays the same, so that input and focus stay too. */
export function drawList (list, items, template, keyOf, draw) {
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

export function copy (name) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(name))
  return document.importNode(template.content, true).firstElementChild
}

/** Shows values in the inputs of a form. An input that the user has changed keeps the change, and the value that the user saw before. */
export function fillForm (form, values) {
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
export function valuesOf (form) {
  return fieldsOf(inputsOf(form).filter(({ name, value, dataset }) => name !== '' && (value !== '' || dataset.shown !== undefined)), ({ value }) => value)
}

/** Saves the inputs that the user has changed, so that edits of other fields elsewhere are no conflict. */
export async function save (form, collection, { id }) {
  const changed = inputsOf(form).filter(({ value, dataset }) => value !== dataset.shown)
  if (changed.length === 0) return
  const saved = changed.map(({ value }) => value)
  await collection.update(id, fieldsOf(changed, ({ value }) => value), { base: fieldsOf(changed, ({ dataset }) => dataset.base) })
  for (const [index, { dataset }] of changed.entries()) dataset.shown = dataset.base = saved[index]
}

export function inputsOf (form) {
  return [...form.elements].filter(input => input.matches('input, select, textarea'))
}

/** @returns {any} values by field */
export function fieldsOf (inputs, valueOf) {
  return Object.fromEntries(inputs.map(input => [input.name, valueOf(input) === '' && nullable.includes(input.name) ? null : valueOf(input)]))
}

export function onSubmit (form, work) {
  form.onsubmit = async (event) => {
    event.preventDefault()
    await perform(event.submitter, work)
  }
}

export function onClick (button, work) {
  button.onclick = async () => await perform(button, work)
}

/** Runs the work of a button and shows its error. */
export async function perform (button, work) {
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

export function searchable (text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}
