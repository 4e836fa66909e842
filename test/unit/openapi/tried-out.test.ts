import t from 'tap'
import { describeService } from '../../../src/server/describe-service.ts'
import { build } from '../../support/helper.ts'

const { as } = await build(t)
const document: any = await describeService()

/** What the reference page shows at first: the example body, and the record in the path. */
function shown (path: string, method: string): { url: string, payload?: object } {
  const operation = document.paths[path][method]
  const id = operation.parameters.find(({ name }: { name?: string }) => name === 'id')?.example
  const { example, examples } = operation.requestBody?.content['application/json'] ?? {}
  const [named] = Object.values<any>(examples ?? {})
  const payload = example ?? document.components.examples[named?.$ref.split('/').at(-1)]?.value
  return { url: path.replace('{id}', id), ...payload === undefined ? {} : { payload } }
}

const resources = {
  contracts: 'director@demo.example',
  contrapartes: 'director@demo.example',
  estimates: 'director@demo.example',
  convenios: 'director@demo.example',
  customers: 'superusuario@demo.example',
  companies: 'superusuario@demo.example',
  users: 'superusuario@demo.example',
  memberships: 'superusuario@demo.example'
}

for (const [name, email] of Object.entries(resources)) {
  t.test(`on the demo data, the examples of ${name} work`, async (t) => {
    const client = await as(email)
    const send = async (method: 'GET' | 'PATCH' | 'POST', path: string) => {
      const { url, payload } = shown(path, method.toLowerCase())
      const response = await client.send(method, url.replace('/api/v1/', ''), payload)
      return [response.statusCode, response.statusCode < 300 ? '' : response.body]
    }
    const list = `/api/v1/${name}/`
    const one = `${list}{id}/`
    t.strictSame(await send('GET', one), [200, ''], 'read')
    t.strictSame(await send('PATCH', one), [200, ''], 'change')
    t.strictSame(await send('POST', list), [201, ''], 'create')
    // Changes the record just created, which it identifies by external_id.
    if (document.paths[`${list}bulk/`] !== undefined) t.strictSame(await send('POST', `${list}bulk/`), [201, ''], 'bulk')
  })
}
