import fc from 'fast-check'
import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { updateOf } from '../../../../src/resources/writing/update.ts'

t.test('each set of fields has one statement and name, up to a number of sets; others use the statement for all fields', async (t) => {
  const resource = { ...contracts } // other tests of the process have used some of the sets of `contracts`
  const all = updateOf(resource, resource.written)
  const names = new Map<string, string>()
  // PostgreSQL compares only the first 63 bytes of a name.
  const known = () => new Set([...names.keys()].map(name => name.slice(0, 63)))

  fc.assert(fc.property(fc.subarray(resource.written), (fields) => {
    const { query: { name = '', text }, part } = updateOf(resource, fields)
    if (names.has(name)) t.equal(text, names.get(name))
    names.set(name, text)
    const own = [...Object.keys(part.columns), ...Object.keys(part.references)].toSorted()
    if (name !== all.query.name) t.same(own, fields.toSorted())
  }), { numRuns: 300 })
  t.equal(names.size, 10)
  t.equal(known().size, 10)
  t.equal(updateOf(resource, resource.written), all)
})
