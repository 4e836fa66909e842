import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { describeService } from '../../../src/server/describe-service.ts'
import { formats, referring } from '../../support/openapi/contract.ts'
import { insideOf } from '../../support/openapi/inside.ts'
import { build } from '../../support/helper.ts'

const document: any = await describeService()
const inside = insideOf(document)
const ajv = new Ajv2020({ strict: false, formats }).addSchema(document, 'document')
const { as } = await build(t)
const callers = [await as('director@demo.example'), await as('superusuario@demo.example')]
const paths = Object.keys(document.paths).filter(path => /^\/api\/v1\/\w+\/(\{id\}\/)?$/.test(path) && document.paths[path].get !== undefined)

/** The queries for an answer: without `fields`, with each field alone, and with growing parts of all fields. */
function queriesOf (parameters: any[]): string[] {
  const fields = parameters.map(inside).find(({ name }) => name === 'fields')
  const words: string[] = fields === undefined ? [] : inside(fields.schema.items).enum
  const parts = [2, 5, words.length].map(count => words.slice(-count).join())
  return ['', ...[...words, ...parts].map(some => `fields=${some}`)].filter((query, index) => index === 0 || words.length > 0)
}

t.test('a validator accepts the answers of every list and record, with and without `fields`', async (t) => {
  const wrong: object[] = []
  const read = new Set<string>()
  let answers = 0
  for (const path of paths) {
    const { parameters, responses } = document.paths[path].get
    const { schema } = responses[200].content['application/json']
    const validate = ajv.compile(referring(schema))
    for (const query of queriesOf(parameters)) {
      const url = `${path.replace('/api/v1/', '').replace('{id}', '1')}?${query}`
      for (const caller of callers) {
        const response = await caller.get(url)
        if (response.statusCode !== 200) continue
        answers++
        read.add(path)
        if (!validate(response.json())) wrong.push({ url, errors: validate.errors })
        break
      }
    }
  }
  t.strictSame(wrong, [])
  t.ok(answers > 300, `${answers} answers`)
  for (const path of paths.filter(path => !path.includes('{id}') && !/\/(changes|history)\//.test(path))) t.ok(read.has(path), path)
})

t.test('a complete answer with a field less is only a part, and one with another type is refused', async (t) => {
  const { schema } = document.paths['/api/v1/contracts/{id}/'].get.responses[200].content['application/json']
  const [whole, either] = [schema.anyOf[0], schema].map(one => ajv.compile(referring(one)))
  const { folio, ...others } = (await callers[0].get('contracts/1/')).json()
  t.strictSame([whole({ folio, ...others }), whole(others), either(others)], [true, false, true])
  t.strictSame([either({ ...others, folio: 7 }), either({})], [false, false])
})
