/*
 * Refused edits, field by field. The service accepts or refuses an edit as a whole. If it refuses some fields of an edit, the app sends the
 * others alone, and keeps the refused values with their problems until the user corrects them.
 */
import { showProblem } from './dom.js'

/** Fields whose values the service checks together. */
const together = [['fecha_inicio', 'fecha_fin'], ['periodo_inicio', 'periodo_fin'], ['piezas', 'largo', 'ancho', 'alto', 'cantidad']]

/** Refused values by record and field. @typedef {Record<string, Record<string, { value: string, problem: string }>>} Problems */

/** The user whose problems these are: several people can share a phone. @type {number | undefined} */
let owner

/** @param {number | undefined} user */
export const showProblemsOf = (user) => { owner = user }

/** @returns {Problems} */
const stored = () => JSON.parse(localStorage.getItem(`problems ${owner}`)) ?? {}
const store = problems => localStorage.setItem(`problems ${owner}`, JSON.stringify(problems))
const keyOf = (resource, id) => `${resource} ${id}`

export const forgetProblems = () => localStorage.removeItem(`problems ${owner}`)

/** Whether a pass runs. It changes the status itself. */
let isBusy = false

/** Sends the other fields of refused edits again. @param {any} sync the offline store */
export async function separate (sync) {
  if (isBusy) return
  isBusy = true
  try {
    for (const { resource, id, op, body, errors, discard } of sync.refused) {
      const wrong = Object.keys(body ?? {}).filter(field => field in errors || together.some(fields => fields.includes(field) && fields.some(one => one in errors)))
      const isOfFields = Object.keys(errors).length > 0 && Object.keys(errors).every(field => wrong.includes(field))
      if (op !== 'update' || !isOfFields || wrong.length === Object.keys(body ?? {}).length) continue
      const own = wrong.map(field => [field, { value: body[field] ?? '', problem: (errors[field] ?? []).join(' ') }])
      const problems = stored()
      store({ ...problems, [keyOf(resource, id)]: { ...problems[keyOf(resource, id)], ...Object.fromEntries(own) } })
      await discard(wrong)
    }
  } finally {
    isBusy = false
  }
}

/**
 * Shows the problems of a record beside the inputs of its form. A refused value that the app keeps is in its input again.
 * @param {HTMLFormElement} form
 * @param {string} resource
 * @param {{ id: number | string, sync: string }} record
 * @param {any[]} refused edits of the store
 */
export function showProblems (form, resource, { id, sync }, refused) {
  const problems = stored()
  const kept = problems[keyOf(resource, id)] ?? {}
  const errors = Object.assign({}, ...refused.filter(edit => edit.resource === resource && edit.id === id).map(({ errors }) => errors))
  for (const input of /** @type {any} */ (form.elements)) {
    const { name, dataset } = input
    if (dataset.shown === undefined) continue
    const forget = () => {
      delete kept[name]
      delete dataset.kept
      store({ ...problems, [keyOf(resource, id)]: kept })
    }
    if (kept[name]?.value === dataset.shown) {
      // The record has the value, until its edit is discarded, or because the service has accepted it now.
      if (sync === 'synced') forget()
    } else if (Object.hasOwn(kept, name) && dataset.kept === undefined) {
      input.value = dataset.kept = kept[name].value
      showProblem(input, kept[name].problem)
    } else if (dataset.kept !== undefined && input.value !== dataset.kept) {
      showProblem(input, '')
      // The user has saved another value, or has gone back to that of the record.
      if (input.value === dataset.shown) forget()
    } else if (dataset.kept === undefined && Object.hasOwn(errors, name) && input.value === dataset.shown) {
      showProblem(input, errors[name].join(' '))
      dataset.refused = 'yes'
    } else if (dataset.refused !== undefined) {
      showProblem(input, '')
      delete dataset.refused
    }
  }
}
