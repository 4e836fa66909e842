import t from 'tap'
import { build } from '../helper.ts'
import { fuzz } from './fuzz.ts'

t.test('requests by chance are answered as the document has it, whatever is in them', async (t) => {
  const { statuses, found } = await fuzz(await build(t, { RATE_LIMIT: 'off' }), 200, 6)
  t.strictSame(found, [])
  for (const status of [200, 201, 400, 404]) t.ok((statuses.get(status) ?? 0) > 2, `${status}: ${JSON.stringify([...statuses])}`)
  t.ok((statuses.get(401) ?? 0) < 30, 'most come past the door')
})
