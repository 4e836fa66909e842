/*
 * Requests of the forms and the views of their answers.
 */
import { element } from './element.js'
import { authorization, base, takeTokens } from './session.js'

/** Characters of an answer that the page shows. The whole of it can be downloaded. */
const maxCharacters = 200_000

/**
 * The request that a form describes. Empty optional fields are left out.
 * @returns {{ url: URL, method: string, headers: Record<string, string>, body: any, isPublic: boolean }}
 * @throws {Error} about a missing file
 */
export function requestOf ({ method, path, requestBody, security }, form) {
  const given = [...form.elements].filter(({ name }) => name.includes(':')).map(({ name, value }) => {
    const [place, ...rest] = name.split(':')
    return { place, name: rest.join(':'), value }
  }).filter(({ value }) => value !== '')
  const valuesIn = place => given.filter(field => field.place === place).map(({ name, value }) => [name, value])
  const filled = valuesIn('path').reduce((address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(value)), path)
  const url = new URL(filled.replace(/^\//, ''), base)
  for (const [name, value] of valuesIn('query')) url.searchParams.set(name, value)
  const { accept, type, body, file } = form.elements
  const isFile = type !== undefined && file !== undefined && !file.hidden
  if (isFile && file.files.length === 0) throw new Error('Choose a file.')
  const headers = {
    ...accept === undefined ? {} : { accept: accept.value },
    ...requestBody === undefined ? {} : { 'content-type': type.value },
    ...Object.fromEntries(valuesIn('header'))
  }
  const content = isFile ? file.files[0] : body?.value
  return { url, method, headers, body: content, isPublic: security?.length === 0 }
}

/** The request as a command, with the token as a variable. */
function commandOf ({ url, method, headers, body }, hasToken) {
  const quoted = text => `'${String(text).replaceAll("'", "'\\''")}'`
  const parts = [`curl -X ${method} ${quoted(url)}`, ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)]
  if (hasToken) parts.push('-H "Authorization: Bearer $ACCESS"')
  if (typeof body === 'string') parts.push(`--data-binary ${quoted(body)}`)
  else if (body !== undefined) parts.push(`--data-binary @${quoted(body.name)}`)
  return parts.join(' \\\n  ')
}

/**
 * Sends a request and shows its answer.
 * @param {ReturnType<typeof requestOf>} request
 * @param {AbortSignal} signal
 * @param {(view: HTMLElement) => void} show
 */
export async function send (request, signal, show) {
  const { url, method, headers, body, isPublic } = request
  const token = isPublic ? {} : await authorization()
  const command = commandOf(request, token.authorization !== undefined)
  const began = performance.now()
  show(answerView({ title: 'Waiting for the answer …' }))
  const response = await fetch(url, { method, headers: { ...headers, ...token }, body, signal }).catch((error) => {
    throw new Error(signal.aborted ? 'Stopped.' : `No answer: ${error.message}`)
  })
  const title = () => `${response.status} ${response.statusText} · ${Math.round(performance.now() - began)} ms`
  const shown = { isFailure: response.status >= 400, headers: [...response.headers], command }
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return await showStream(response, { ...shown, title: title(), signal }, show)
  if (!/^text\/|^application\/([\w.-]+\+)?json\b/.test(type)) {
    const file = await response.blob()
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    return show(answerView({ ...shown, title: title(), file: file.size === 0 ? undefined : { blob: file, name } }))
  }
  const text = await response.text()
  const value = type.includes('json') ? parsed(text) : undefined
  show(answerView({ ...shown, title: title(), text: value === undefined ? text : JSON.stringify(value, undefined, 2) }))
  if (response.ok && value?.access !== undefined) takeTokens(response.url, value)
}

function parsed (text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Shows events as they arrive, until the answer ends or the user stops it. */
async function showStream (response, shown, show) {
  const view = answerView({ ...shown, text: ' ' })
  show(view)
  const [place] = view.querySelectorAll('pre.body')
  const decoder = new TextDecoder()
  try {
    for (const reader = response.body.getReader(); ;) {
      const { value, done } = await reader.read()
      if (done) return
      place.append(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    if (!shown.signal.aborted) throw error
  }
}

/**
 * @param {{
 *   title: string, isFailure?: boolean, text?: string, file?: { blob: Blob, name?: string }, headers?: string[][], command?: string
 * }} answer
 */
export function answerView ({ title, isFailure = false, text, file, headers = [], command }) {
  const view = element('div', { className: isFailure ? 'failure' : '' }, element('p', { className: 'status', role: 'status' }, title))
  if (text !== undefined && text !== '') {
    view.append(element('pre', { className: 'body', tabIndex: 0 }, text.slice(0, maxCharacters)))
    const longer = `The answer is longer: download all ${text.length} characters`
    if (text.length > maxCharacters) view.append(linkTo(new Blob([text]), 'answer.txt', longer))
  }
  if (file !== undefined) view.append(linkTo(file.blob, file.name, `Download ${file.name ?? 'the answer'} (${file.blob.size} bytes)`))
  if (headers.length > 0) view.append(folded('Headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n')))
  if (command !== undefined) view.append(folded('As a command', command))
  return view
}

function linkTo (blob, name, text) {
  return element('p', {}, element('a', { href: URL.createObjectURL(blob), download: name ?? 'answer' }, text))
}

function folded (title, text) {
  return element('details', {}, element('summary', {}, title), element('pre', { tabIndex: 0 }, text))
}
