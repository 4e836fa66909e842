import { Ajv2020 } from 'ajv/dist/2020.js'
import Fastify, { type RouteOptions } from 'fastify'
import t from 'tap'
import type { Access, Level } from '../../../src/auth/access.ts'
import { isAccountOperation, may, mayManage } from '../../../src/auth/authority.ts'
import obra from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { registered } from '../../../src/domain/resources.ts'
import { describeService } from '../../../src/server/describe-service.ts'
import { formats } from '../../support/openapi/contract.ts'
import { lint } from '../../support/openapi/redocly.ts'
import { build, openTestDatabase, secret } from '../../support/helper.ts'

const document = await describeService() as any
const operations = Object.entries<any>(document.paths).flatMap(([path, item]) => Object.entries<any>(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })))

t.test('it is public, and 304 until it changes', async (t) => {
  const { app } = await build(t)
  const first = await app.inject('/openapi.json')
  t.equal(first.statusCode, 200)
  t.equal(first.headers['content-type'], 'application/json; charset=utf-8')
  t.strictSame(first.json(), JSON.parse(JSON.stringify(document)))
  const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': first.headers.etag as string } })
  t.strictSame([again.statusCode, again.body, again.headers.etag], [304, '', first.headers.etag])
  t.equal((await app.inject({ url: '/openapi.json', headers: { accept: 'text/html' } })).statusCode, 406)
})

t.test('it has every route, with a name, a group, and the required levels', async (t) => {
  const { database } = await openTestDatabase(t)
  const app = Fastify()
  t.teardown(async () => await app.close())
  const routes: RouteOptions[] = []
  app.addHook('onRoute', route => { routes.push(route) })
  await app.register(obra, { config: { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: secret }, database })
  await app.ready()

  const wanted = new Set<string>()
  for (const { method, url, config, schema } of routes) {
    for (const one of [method].flat()) {
      if (one === 'HEAD' || schema?.hide === true) continue
      const path = url.replace(/:(\w+)/g, '{$1}').replace(/(?<!\/|\.json)$/, '/')
      wanted.add(`${one} ${path}`)
      const { operation } = operations.find(described => described.method === one && described.path === path) ?? {}
      t.ok(operation, `${one} ${path}`)
      const access = config?.access ?? 'public'
      t.strictSame(operation['x-nivel-acceso'], levels(access), `${operation.operationId} ${access}`)
      t.strictSame(operation.security, access === 'public' ? [] : [{ bearer: [] }])
      t.match(operation, { operationId: /^[a-z][A-Za-z]+$/, summary: /\w/, description: /Needs / })
    }
  }
  t.strictSame(operations.map(({ method, path }) => `${method} ${path}`).sort(), [...wanted].sort())
  const tags = document.tags.map(({ name }: { name: string }) => name)
  t.ok(operations.every(({ operation }) => operation.tags.every((tag: string) => tags.includes(tag))))
})

function levels (access: Access): Level[] | undefined {
  if (access === 'public' || access === 'account' || access === 'refresh') return undefined
  return ([1, 2, 3, 4, 5, 6] as const).filter(level => isAccountOperation(access) ? mayManage(level, access) : may(level, access))
}

t.test('its schemas are standard: a plain Ajv compiles all of them in strict mode', async (t) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats })
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '')), name)
  for (const name of Object.keys(document.components.schemas)) t.doesNotThrow(() => ajv.getSchema(name), name)
  const own = /"(nullable|text|money|percentage|isDate|isInstant|isTime|isEmail|accountEmail|isUuid|isHash|rfc|list|joined|digits|references)":true|"(decimal|wholeNumber|x-examples|\$id)":/
  t.equal(own.exec(JSON.stringify(document))?.[0], undefined)
})

t.test('every example is valid for its schema', async (t) => {
  const ajv = new Ajv2020({ strict: false, formats, allErrors: true })
  ajv.addSchema(document, 'document', false, false)
  let looked = 0
  const wrong: object[] = []
  const holds = (schema: object, value: unknown, where: string) => {
    looked++
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')))
    if (!validate(value)) wrong.push({ where, value, errors: validate.errors })
  }
  const walk = (node: any, where: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (node.schema !== undefined) {
      if (node.example !== undefined) holds(node.schema, node.example, `${where}/example`)
      for (const [name, example] of Object.entries<any>(node.examples ?? {})) {
        holds(node.schema, (example.$ref === undefined ? example : document.components.examples[example.$ref.split('/').at(-1)]).value, `${where}/examples/${name}`)
      }
    } else if (Array.isArray(node.examples)) {
      for (const example of node.examples) holds(node, example, `${where}/examples`)
    }
    for (const [name, child] of Object.entries(node)) if (!/^examples?$/.test(name)) walk(child, `${where}/${name}`)
  }
  walk(document, '')
  t.strictSame(wrong, [])
  t.ok(looked > 500, `${looked} examples`)
})

t.test('the examples of bodies succeed on the demo data', async (t) => {
  const { as } = await build(t)
  const [director, superusuario] = [await as('director@demo.example'), await as('superusuario@demo.example')]
  const creates = operations.filter(({ method, path, operation }) => method === 'POST' && operation['x-nivel-acceso'] !== undefined && !path.includes('{id}'))
  const paths = new Set(creates.map(({ path }) => path))
  for (const { name } of registered) for (const path of [`/api/v1/${name}/`, `/api/v1/${name}/bulk/`]) t.ok(paths.has(path), path)
  for (const { path, operation } of creates) {
    const { examples } = operation.requestBody.content['application/json']
    const { value } = document.components.examples[examples.example.$ref.split('/').at(-1)]
    const { statusCode, body } = await (operation['x-nivel-acceso'].includes(3) ? director : superusuario).post(path.slice('/api/v1/'.length), value)
    t.equal(statusCode, operation.responses['201'] === undefined ? 200 : 201, `${path} ${body}`)
  }
})

t.test('every body has an example, and every error has one in each language', async (t) => {
  for (const { operation } of operations) {
    const bodies = [operation.requestBody, ...Object.values<any>(operation.responses)].filter(body => body !== undefined)
      .map(body => body.$ref === undefined ? body : document.components.responses[body.$ref.split('/').at(-1)])
    for (const { content } of bodies) {
      if (content === undefined) continue
      const [{ example, examples, schema }] = Object.values<any>(content) as [any]
      t.ok(example ?? examples, operation.operationId)
      if (schema.allOf === undefined) continue
      t.ok(examples.en.value.detail !== examples.es.value.detail && examples.en.value.code === examples.es.value.code, operation.operationId)
    }
  }
})

t.test("Redocly's recommended rules, except that on trailing slashes, report nothing", async (t) => {
  t.strictSame((await lint(document)).map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]), [])
  const broken = structuredClone(document)
  delete broken.paths['/api/v1/contracts/'].get.operationId
  broken.components.schemas.Contract.type = 'record'
  t.strictSame((await lint(broken)).map(({ ruleId }) => ruleId).includes('struct'), true, 'a broken document is reported')
})
