import t from 'tap'
import { targetsOf, type Target } from './sqlmap.ts'
import { describeService } from '../../../../src/server/describe-service.ts'
import { insideOf } from '../../../support/openapi/inside.ts'

const document: any = await describeService()
const inside = insideOf(document)
const targets = targetsOf(document, '127.0.0.1:3000', { director: 'D', superusuario: 'S' })

/** The text and number fields of a body, or of the items of a bulk. */
function fieldsOf (schema: any): string[] {
  return Object.entries<any>(inside(schema)?.properties ?? {}).map(([name, field]) => [name, inside(field)] as const).filter(([, { readOnly }]) => readOnly !== true).flatMap(([name, field]) =>
    name === 'items' ? fieldsOf(field.items) : typesOf(field).some(type => ['string', 'integer', 'number'].includes(type)) ? [name] : [])
}

/** The types that a schema permits. */
function typesOf (schema: any): string[] {
  const given = inside(schema)
  return [given?.type ?? [], ...[...given?.anyOf ?? [], ...given?.oneOf ?? [], ...given?.allOf ?? []].map(typesOf)].flat()
}

/** Parses the request of a target. */
function read ({ request }: Target) {
  const [head, body] = request.split('\r\n\r\n') as [string, string]
  const [line, ...headers] = head.split('\r\n') as [string, ...string[]]
  return { line, headers, body, address: line.split(' ')[1] }
}

const operations = Object.entries<any>(document.paths).filter(([path]) => path.startsWith('/api/v1/') && path !== '/api/v1/api-token-auth/')
  .flatMap(([path, item]) => Object.entries<any>(item).map(([method, operation]) => ({ path, name: `${method.toUpperCase()} ${path}`, operation })))

t.test('every parameter, header and field of every operation is a target', async (t) => {
  t.ok(operations.length > 40, `${operations.length} operations`)
  for (const { name, operation } of operations) {
    const own = targets.filter(({ what }) => what.slice(0, what.lastIndexOf(' ')) === name)
    const places = own.map(({ what }) => what.slice(what.lastIndexOf(' ') + 1))
    const parameters = (operation.parameters ?? []).map(inside)
    t.strictSame(places.filter(place => place !== 'body').sort(), parameters.map((parameter: { name: string }) => parameter.name).sort(), name)

    const fields = fieldsOf(operation.requestBody?.content['application/json']?.schema)
    const marked = own.filter(({ what }) => what.endsWith(' body')).map(target => /"(\w+)":\[?"?[^"*]*\*/.exec(read(target).body)?.[1])
    t.strictSame(fields.filter(field => !marked.includes(field)), [], `${name}: every field has a target`)
    t.ok(own.length >= parameters.length + fields.length && own.length > 0, `${name}: ${own.length}`)
  }
})

t.test('each target marks one place, and is a complete request without the mark', async (t) => {
  const wrong = targets.filter((target) => {
    const { line, headers, body } = read(target)
    try {
      if (body !== '') JSON.parse(body.replace('*', ''))
    } catch {
      return true
    }
    return target.request.split('*').length !== 2 || !/^(GET|POST|PUT|PATCH|DELETE) \/api\/v1\/[^ {}]* HTTP\/1\.1$/.test(line) || !headers.some(header => /^Authorization: Bearer [DS]$/.test(header)) ||
      (body !== '') !== headers.includes('Content-Type: application/json')
  })
  t.strictSame(wrong, [])
})

t.test('the mark follows the value of the place', async (t) => {
  for (const target of targets) {
    const place = target.what.slice(target.what.lastIndexOf(' ') + 1)
    const { address, headers, body } = read(target)
    const marked = [address, ...headers, body].find(text => text.includes('*')) as string
    t.ok(place === 'body' ? marked === body : place === 'id' ? /\/1\*/.test(marked) : marked.endsWith('*') && new RegExp(`(^|[?&])${place}(=|: )[^&]*$`).test(marked), `${target.what}: ${marked}`)
  }
})
