/*
 * One operation: its description, a form that sends the request, and its answers. It is made when it is opened.
 */
import { confirmExample, isExample } from './confirm.js'
import { element } from './element.js'
import { blocks, inline } from './markdown.js'
import { answerView, requestOf, send } from './request.js'
import { schemaView } from './schema.js'
import { guides } from './document.js'

const withHtml = (tag, html, properties = {}) => element(tag, { innerHTML: html, ...properties })

/** @param {import('./document.js').Description} description @param {any} operation */
export function operationView (description, operation) {
  const { parameters, requestBody, responses, tag } = operation
  const body = description.inside(requestBody ?? {})
  const types = typesOf(description, responses)
  const button = element('button', {}, 'Send')
  const answer = element('div', { className: 'answer' })
  const sending = element('div', { className: 'send' }, button, ...accepting(types))
  const links = (guides[tag] ?? []).map(([title, page]) => element('a', { href: `guide.html?${page}` }, title)).flatMap(link => [' ', link])
  const isHeader = parameter => parameter.in === 'header'
  const form = element('form', { className: 'operation-body' },
    sending, answer,
    ...operation.description === undefined ? [] : [withHtml('div', blocks(operation.description))],
    ...links.length === 0 ? [] : [element('p', { className: 'guides' }, 'Guides:', ...links)],
    ...parametersView(description, operation, 'Parameters', parameters.filter(parameter => !isHeader(parameter))),
    ...body.content === undefined ? [] : [bodyView(description, body)],
    ...parametersView(description, operation, 'Headers', parameters.filter(isHeader)),
    responsesView(description, responses))

  // The button stays in sight while the form scrolls, but the answer does not.
  const showAnswer = (view) => {
    answer.replaceChildren(view)
    answer.scrollIntoView({ block: 'nearest' })
  }
  let running
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (running !== undefined) return running.abort()
    if (isExample(operation, form) && !await confirmExample(operation)) return
    running = new AbortController()
    button.textContent = 'Stop'
    try {
      await send(requestOf(operation, form), running.signal, showAnswer)
    } catch (error) {
      showAnswer(answerView({ title: error.message, isFailure: true }))
    } finally {
      running = undefined
      button.textContent = 'Send'
    }
  })
  return form
}

/** Media types of successful answers. */
function typesOf (description, responses) {
  const successful = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return [...new Set(successful.flatMap(([, response]) => Object.keys(description.inside(response).content ?? {})))]
}

function accepting (types) {
  if (types.length < 2) return []
  const select = element('select', { name: 'accept' }, ...types.map(type => new window.Option(type)))
  return [element('label', {}, 'Answer as ', select)]
}

function parametersView (description, { operationId, method }, title, parameters) {
  const rows = parameters.map((parameter, index) => {
    const { name, required = false, schema = {}, description: text = '', in: place } = parameter
    const own = description.merged(schema)
    const values = own.enum ?? (own.type === 'boolean' ? ['true', 'false'] : undefined)
    const field = `${operationId}-${title}-${index}`
    const example = [exampleOf(description, parameter) ?? []].flat().join(',')
    // A write with the example of an id would change a record that nobody chose.
    const isFilled = required && (place !== 'path' || method === 'GET')
    const shown = isFilled ? { value: example } : { placeholder: example === '' ? '' : `such as ${example}` }
    const input = values === undefined
      ? element('input', { autocomplete: 'off', ...shown })
      : element('select', {}, ...[...required ? [] : [''], ...values].map(value => new window.Option(String(value))))
    Object.assign(input, { id: field, name: `${place}:${name}`, required })
    input.setAttribute('aria-describedby', `${field}-text`)
    const mark = required ? [element('span', { className: 'required' }, ' required')] : []
    const label = element('label', { htmlFor: field }, element('code', {}, name), ...mark)
    const type = own.enum === undefined ? `${description.typeOf(schema)}. ` : ''
    return element('div', { className: 'field' }, label, input,
      withHtml('p', `<small>${type}</small>${inline(text)}`, { id: `${field}-text`, className: 'text' }))
  })
  return rows.length === 0 ? [] : [element('fieldset', {}, element('legend', {}, title), ...rows)]
}

function exampleOf (description, { example, examples, schema }) {
  return example ?? description.inside(Object.values(examples ?? {})[0]).value ?? description.merged(schema ?? {}).examples?.[0]
}

function bodyView (description, body) {
  const types = Object.keys(body.content)
  const isText = type => /json|csv|text|xml$/.test(type) && type !== 'application/xml'
  const options = types.map(name => new window.Option(name))
  const type = element('select', { name: 'type', hidden: types.length === 1, 'aria-label': 'Media type of the body' }, ...options)
  const text = element('textarea', { name: 'body', spellcheck: false, 'aria-label': 'Body' })
  const file = element('input', { type: 'file', name: 'file', 'aria-label': 'File to send' })
  const fields = element('div')
  const draw = () => {
    const media = body.content[type.value]
    text.defaultValue = description.exampleOf(media)
    text.value = text.defaultValue
    text.rows = Math.min(24, Math.max(4, text.value.split('\n').length + 1))
    text.hidden = !isText(type.value)
    file.hidden = !text.hidden
    const hasFields = media.schema !== undefined && !text.hidden
    fields.replaceChildren(...hasFields ? [schemaView(description, media.schema, 'Fields of the body')] : [])
  }
  type.addEventListener('change', draw)
  draw()
  const only = types.length === 1 ? [' ', element('small', {}, types[0])] : []
  return element('fieldset', {}, element('legend', {}, 'Body', ...only), type, text, file, fields)
}

function responsesView (description, responses) {
  const items = Object.entries(responses).map(([status, response]) => {
    const { description: text = '', content = {}, headers = {} } = description.inside(response)
    const title = element('summary', {}, element('strong', {}, status), ' ', withHtml('span', inline(text)))
    const details = element('details', {}, title)
    details.addEventListener('toggle', () => {
      const names = Object.keys(headers)
      const media = Object.entries(content).map(([type, part]) => {
        const example = description.exampleOf(part)
        return element('div', {}, element('p', { className: 'text' }, type),
          ...example === '' ? [] : [element('pre', { tabIndex: 0 }, example)],
          ...part.schema === undefined ? [] : [schemaView(description, part.schema, 'Fields')])
      })
      details.append(...media, ...names.length === 0 ? [] : [element('p', { className: 'text' }, `Headers: ${names.join(', ')}`)])
    }, { once: true })
    return details
  })
  return element('section', { className: 'responses' }, element('h3', {}, 'Answers'), ...items)
}
