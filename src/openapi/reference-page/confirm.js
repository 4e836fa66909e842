/*
 * The question before the example of a write is sent.
 */
import { element } from './element.js'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a form would write what nobody entered: its body is still the example, or it has neither a body nor an id.
 * Ids of writes and files have no example, so each of them was entered.
 */
export function isExample ({ method, parameters }, form) {
  if (reading.has(method)) return false
  const { body, file } = form.elements
  if (file !== undefined && !file.hidden) return false
  return body === undefined ? !parameters.some(parameter => parameter.in === 'path') : body.value === body.defaultValue
}

/** Asks whether to send the example. The focus is on the answer "no". @returns {Promise<boolean>} */
export async function confirmExample ({ method, path }) {
  const edit = element('button', { type: 'button', autofocus: true }, 'Go back')
  const sendIt = element('button', { type: 'button', className: 'second' }, 'Send the example')
  const title = element('h2', { id: 'confirm-title' }, 'Send the example?')
  const text = element('p', { id: 'confirm-text' }, element('code', {}, `${method} ${path}`),
    ' writes data. You have not edited the example yet.')
  const dialog = element('dialog', { 'aria-labelledby': title.id, 'aria-describedby': text.id },
    title, text, element('p', { className: 'send' }, edit, sendIt))
  edit.addEventListener('click', () => dialog.close())
  sendIt.addEventListener('click', () => dialog.close('send'))
  document.body.append(dialog)
  dialog.showModal()
  await new Promise(resolve => dialog.addEventListener('close', resolve, { once: true }))
  dialog.remove()
  return dialog.returnValue === 'send'
}
