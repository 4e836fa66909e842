import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import { readBody } from '../../../../src/http/request-body.ts'
import { longestCharacter, longTextFinder, parseExactJson } from '../../../../src/resources/validation/exact-json.ts'
import { build } from '../../../support/helper.ts'

const limits = { maxLength: 5 }
const most = longestCharacter * limits.maxLength

/** The text that is kept of a body that arrives in these chunks. */
async function kept (chunks: Buffer[]): Promise<string> {
  const payload = new PassThrough()
  const text = readBody(payload, 1_000_000, undefined, longTextFinder(most))
  for (const chunk of chunks) payload.write(chunk)
  payload.end()
  return await text
}

function outcome (text: string): unknown {
  try {
    return { value: JSON.stringify(parseExactJson(text, limits)) }
  } catch (error) {
    return { problems: (error as { problems?: unknown }).problems }
  }
}

t.test('a body that ends at its first long text or number has the outcome of the whole body', async (t) => {
  const unit = fc.constantFrom('a', 'é', '漢', '𝄞', '\\"', '\\\\', '\\u00e9', '\\u0022', ',', ':', '{', ' ')
  const long = fc.array(unit, { minLength: most - 3, maxLength: most + 3 }).map(units => `"${units.join('')}"`)
  const short = fc.array(unit, { maxLength: 4 }).map(units => `"${units.join('')}"`)
  const end = fc.constantFrom('', '.5', '.55', 'e5', 'e+5', 'E-55', '.5e+5')
  const number = fc.tuple(fc.integer({ min: 1, max: most + 4 }), end).map(([length, end]) => '7'.repeat(length) + end)
  const piece = fc.oneof(short, { weight: 2, arbitrary: long }, number, fc.constantFrom('null', '[', ']', '{"a":', '}', ',', ' ', '\\', '"', 'x'))
  const list = fc.array(fc.oneof(short, long, number)).map(values => `[${values.join(', ')}]`)
  const body = fc.oneof(list, fc.array(piece).map(pieces => pieces.join('')))
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 })
  let ended = 0
  await fc.assert(fc.asyncProperty(body, cuts, async (text, cuts) => {
    const bytes = Buffer.from(text)
    const places = [0, ...cuts.map(cut => Math.round(cut * bytes.length)).sort((a, b) => a - b), bytes.length]
    const read = await kept(places.slice(1).map((end, index) => bytes.subarray(places[index], end)))
    if (read.length < text.length) ended++
    t.ok(text.startsWith(read))
    if (read.length < text.length || !text.startsWith('[')) t.strictSame(outcome(read), outcome(text), text)
  }), { numRuns: 500 })
  t.ok(ended > 50, `${ended} bodies ended early`)
})

t.test('the rest of a body with a text that is too long is read, but not kept', async (t) => {
  const before = `{"folio":"${'x'.repeat(most + 1)}`
  const chunks = [Buffer.from(`${before}yz`), ...Array.from({ length: 40 }, () => Buffer.alloc(16_384, 'x')), Buffer.from('"}')]
  t.equal(await kept(chunks), before)
})

t.test('a client sends the whole body and gets the field', async (t) => {
  const { app, as } = await build(t)
  const { access } = await as('director@demo.example')
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const value of ['"x"', '7']) {
    const long = value.replace(/x|7/, unit => unit.repeat(3_000_000))
    const body = `{"items":[{"folio":"A"},{"folio":${long}},{"folio":"C"}]}`
    const answer = await fetch(`${origin}/api/v1/contracts/bulk/`, { method: 'POST', headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' }, body })
    t.equal(answer.status, 400)
    t.strictSame((await answer.json() as { codes: object }).codes, { 'items.1.folio': ['max_length'] })
  }
})

t.test('the longest text is that of the fields of the body', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const folio = 'x'.repeat(15_000)
  const bulk = await director.post('contracts/bulk/', { items: [{ folio }, {}] })
  t.strictSame([bulk.statusCode, bulk.json().codes], [400, { 'items.0.folio': ['max_length'] }], 'the rest is not checked')
  const mutations = [{ id: 1, op: 'create', resource: 'contracts', body: { folio } }]
  const answer = await director.post('mutations/', { device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11', mutations })
  t.match(answer.json(), { results: [{ id: 1, status: 400, codes: { folio: ['max_length'] } }] }, 'a mutation can be of any resource')
})
