/*
 * Views without a framework: templates, lists and forms. An element with `data-field` shows a value, an input with a `name` edits one.
 */

import { amount } from './quantities.js'
import { text, translate } from './texts.js'

const notice = document.getElementById('notice')

/** Fields that are null if their input is empty. */
const nullable = ['contraparte', 'fecha_inicio', 'fecha_fin', 'piezas', 'largo', 'ancho', 'alto']

/** Fields whose values are words of the service, which the app translates. */
const words = ['sync', 'estado']

/** Amounts, which people type with separators. */
const amounts = ['monto']

/** Fills the elements of fields with values. */
export function fill (element, values) {
  for (const [field, value] of Object.entries(values)) {
    for (const place of element.querySelectorAll(`[data-field="${field}"]`)) {
      place.dataset.value = value ?? ''
      place.textContent = words.includes(field) ? text(value ?? '') : value ?? ''
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
  const view = document.importNode(template.content, true).firstElementChild
  translate(view)
  return view
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

/** Values of a form's inputs. @throws {Error} if one is no value of its field. The problem is beside it */
export function valuesOf (form) {
  const given = inputsOf(form).filter(({ name, value, dataset }) => name !== '' && (value !== '' || dataset.shown !== undefined))
  if (given.filter(input => !isValid(input)).length > 0) throw new Error(text('marked'))
  return fieldsOf(given, readInput)
}

/**
 * Saves the inputs that the user has changed, so that edits of other fields elsewhere are no conflict.
 * @throws {Error} if one is no value of its field. The problem is beside it, and the others are saved
 */
export async function save (form, collection, { id }) {
  const changed = inputsOf(form).filter(({ value, dataset }) => value !== dataset.shown)
  const valid = changed.filter(isValid)
  if (valid.length > 0) {
    const saved = fieldsOf(valid, readInput)
    await collection.update(id, saved, { base: fieldsOf(valid, ({ dataset }) => dataset.base) })
    for (const input of valid) {
      // The refused value is in a new edit, which can be refused again.
      if (input.value === input.dataset.kept) delete input.dataset.kept
      input.value = input.dataset.shown = input.dataset.base = saved[input.name] ?? ''
    }
  }
  if (valid.length === changed.length) return
  changed.find(input => !valid.includes(input)).focus()
  throw new Error(text(valid.length > 0 ? 'unsaved' : 'marked'))
}

/** The value of an input for the service. Undefined if it is none. */
function readInput ({ name, value }) {
  return amounts.includes(name) && value.trim() !== '' ? amount(value) : value
}

/** Whether an input has a value of its field. Otherwise the problem is shown beside it. */
function isValid (input) {
  const isKnown = readInput(input) !== undefined
  showProblem(input, isKnown ? '' : text('noAmount'))
  return isKnown
}

/** Problems that the app has shown, for their ids. */
let problems = 0

/** Shows a problem below its input, or removes it. Screen readers read it as the description of the input. @param {string} problem */
export function showProblem (input, problem) {
  const label = input.closest('label')
  const shown = label.querySelector('.field-problem')
  if (problem === '') {
    shown?.remove()
    input.removeAttribute('aria-invalid')
    input.removeAttribute('aria-describedby')
    return
  }
  const place = shown ?? document.createElement('span')
  if (shown === null) {
    Object.assign(place, { className: 'field-problem', id: `problem-${problems += 1}`, ariaHidden: 'true' })
    label.append(place)
  }
  if (place.textContent !== problem) place.textContent = problem
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', place.id)
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
    notice.textContent = [error.message, ...messagesOf(error.errors ?? {})].join(' ')
  } finally {
    button.disabled = false
  }
}

/** Messages of the service with the names of their fields. @param {Record<string, string[]>} errors by field */
export function messagesOf (errors) {
  return Object.entries(errors).map(([field, messages]) => `${field === 'non_field_errors' ? '' : `${text(field)}: `}${messages.join(' ')}`)
}

export function searchable (text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}
