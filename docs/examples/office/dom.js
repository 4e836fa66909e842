/*
 * Views from templates. An element with `data-text` shows a text of the page, one with `data-field` a value.
 */
import { text } from './texts.js'

export const notice = document.getElementById('notice')

/** A copy of a template, in the language of the page. */
export function copy (name) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(name))
  const view = /** @type {HTMLElement} */ (document.importNode(template.content, true).firstElementChild)
  translate(view)
  return view
}

export function translate (element) {
  for (const place of element.querySelectorAll('[data-text]')) place.textContent = text(place.dataset.text)
  for (const place of element.querySelectorAll('[data-label]')) place.ariaLabel = text(place.dataset.label)
}

/** Fills the elements of fields with values. */
export function fill (element, values) {
  for (const [field, value] of Object.entries(values)) {
    for (const place of element.querySelectorAll(`[data-field="${field}"]`)) place.textContent = value
  }
}

/** Fills a `dl` with names and values. @param {HTMLElement} list @param {Array<[name: string, value: string]>} facts */
export function drawFacts (list, facts) {
  list.replaceChildren(...facts.map(([name, value]) => {
    const [group, term, details] = ['div', 'dt', 'dd'].map(tag => document.createElement(tag))
    term.textContent = name
    details.textContent = value
    group.append(term, details)
    return group
  }))
}

/**
 * Fills a table below its caption. On a phone, each cell becomes a line with its title, and keeps its role.
 * @param {HTMLTableElement} table
 * @param {Array<[name: string, cell: (row: any) => string | Node, kind?: 'number']>} columns
 * @param {any[]} rows
 */
export function drawTable (table, columns, rows) {
  table.role = 'table'
  const [head, body] = [table.createTHead(), table.createTBody()]
  head.role = body.role = 'rowgroup'
  addRow(head, columns, 'th', 'columnheader', columns.map(([name]) => text(name)))
  addRows(table, columns, rows)
}

/** Adds rows to a table. @returns {HTMLTableRowElement[]} */
export function addRows (table, columns, rows) {
  return rows.map(row => addRow(table.tBodies[0], columns, 'td', 'cell', columns.map(([, cell]) => cell(row))))
}

function addRow (section, columns, tag, role, contents) {
  const line = section.insertRow()
  line.role = 'row'
  for (const [index, [name, , kind = '']] of columns.entries()) {
    const cell = document.createElement(tag)
    cell.className = kind
    cell.role = role
    cell.dataset.title = text(name)
    cell.append(contents[index])
    line.append(cell)
  }
  return line
}

/** Runs an action at a click. The button is disabled until the action ends. */
export function onClick (button, action) {
  button.onclick = async () => {
    button.disabled = true
    await action().finally(() => { button.disabled = false })
  }
}
