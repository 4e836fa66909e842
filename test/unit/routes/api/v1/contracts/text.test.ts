import fc from 'fast-check'
import t from 'tap'
import { invisible } from '../../../../../../src/http/invisible.ts'
import { character } from '../../../../../support/character.ts'
import { build } from '../../../../../support/helper.ts'

t.test('text', async (t) => {
  const director = await (await build(t)).as('director@demo.example')
  const headers = { 'content-type': 'application/json' }
  const { id } = (await director.post('contracts/', { folio: 'TEXTO' })).json()
  const patch = async (body: unknown) => await director.send('PATCH', `contracts/${id}/`, typeof body === 'string' ? body : JSON.stringify(body), headers)

  t.test('of any other kind is returned unchanged or refused', async () => {
    const text = fc.string({ unit: character, minLength: 1, maxLength: 60 })
    await fc.assert(fc.asyncProperty(text, async (given) => {
      const response = await patch({ folio: given, descripcion: given, external_id: given })
      const kept = given.replace(invisible, '').trim().normalize('NFC')
      if (given.includes('\0') || kept === '' || [...kept].length > 64) return response.statusCode === 400
      const read = (await director.get(`contracts/${id}/`)).json()
      const listed = (await director.get(`contracts/?external_id=${encodeURIComponent(given)}&folio=${encodeURIComponent(given)}`)).json()
      return read.folio === kept && read.descripcion === kept && read.external_id === kept && listed.count === 1
    }), { numRuns: 30 })
  })
})
