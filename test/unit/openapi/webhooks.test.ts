import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { resources } from '../../../src/domain/resources.ts'
import { eventTypes } from '../../../src/domain/webhooks/resource.ts'
import { messageOf, pingOf } from '../../../src/jobs/webhooks/message.ts'
import { describeService } from '../../../src/server/describe-service.ts'
import { formats, referring } from '../../support/openapi/contract.ts'
import { build } from '../../support/helper.ts'

const document: any = await describeService()
const ajv = new Ajv2020({ strict: false, formats }).addSchema(document, 'document')
const { as } = await build(t)

/** Whether the document has this body of a delivery. */
function isDescribed (body: string): boolean {
  const value = JSON.parse(body)
  const { schema } = document.webhooks[value.type].post.requestBody.content['application/json']
  return ajv.validate(referring(schema), value)
}

t.test('the document has the delivery of each type of event', async (t) => {
  t.strictSame(Object.keys(document.webhooks).sort(), [...eventTypes, 'changes', 'ping'].sort())
  const director = await as('director@demo.example')
  const seen = new Set<string>()
  const names = resources.map(({ name }) => name).join()
  for (let cursor = ''; ;) {
    const { changes, has_more: hasMore, ...page } = (await director.get(`changes/?page_size=1000&resources=${names}${cursor}`)).json()
    const sent = changes.map(({ resource, id, revision, record }: any) =>
      ({ type: `${resource}.updated`, resource, id, revision: revision + 1, at: '2026-03-02T16:20:05.123456Z', record: JSON.stringify(record) }))
    for (const change of sent) {
      if (seen.has(change.resource)) continue
      seen.add(change.resource)
      const gone = { ...change, type: `${change.resource}.deleted`, record: null }
      for (const one of [change, { ...change, type: `${change.resource}.created` }, gone]) {
        t.ok(isDescribed(messageOf(1, 1, 1, [one]).body), one.type)
      }
      t.ok(isDescribed(messageOf(1, 1, 10, [change, gone]).body), `${change.resource}: a list`)
      t.notOk(isDescribed(messageOf(1, 1, 1, [{ ...change, record: '{"id":"7"}' }]).body), `${change.resource}: another record`)
      t.notOk(isDescribed(messageOf(1, 1, 1, [{ ...change, record: null }]).body), `${change.resource}: no record`)
    }
    if (hasMore !== true) break
    cursor = `&cursor=${page.cursor}`
  }
  t.ok(seen.size > 7, [...seen].join())
  t.ok(isDescribed(pingOf(1, 1, new Date()).body))
})
