import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../support/helper.ts'
import { naturalKey } from '../../../support/natural-key.ts'

const { as, psql } = await build(t)
const director = await as('director@demo.example')
const contract: number = (await director.post('contracts/', { folio: 'NATURAL' })).json().id
const rows = `company_id = 1 and contract_id = ${contract}`

const part = fc.string({ unit: fc.constantFrom('0', '1', '2', '9', '10', 'a', 'A', 'Ñ', '.', '-', '/', ' '), minLength: 1, maxLength: 6 })
const texts = fc.uniqueArray(part.map(text => `x${text}x`), { minLength: 6, maxLength: 25 })
const withoutClaves = { descripcion: '', unidad: 'm', cantidad: '1', precio_unitario: '1' }

async function add (items: object[]): Promise<void> {
  await psql(`delete from conceptos where ${rows}`)
  const answer = await director.post('conceptos/bulk/', { items: items.map(item => ({ contract, ...withoutClaves, ...item })) })
  if (answer.statusCode !== 201) throw new Error(answer.body)
}

t.test('the key of any text is the same in SQL and in JavaScript', async (t) => {
  const any = fc.string({ unit: fc.oneof(fc.constantFrom(...'0123456789/.-aZñ '), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })), maxLength: 30 }).filter(text => !text.includes('\0'))
  await fc.assert(fc.asyncProperty(fc.array(any, { minLength: 20, maxLength: 60 }), async (texts) => {
    const keys = await psql("select encode(convert_to(natural_key(n), 'UTF8'), 'hex') as key from unnest($1::text[]) with ordinality as x (n, i) order by i", [texts])
    const wrong = texts.find((text, index) => keys[index]?.['key'] !== naturalKey(text))
    if (wrong !== undefined) throw new Error(JSON.stringify(wrong))
  }), { numRuns: 20, examples: [[['', '0', '00', '1', '007', '9'.repeat(200), `1${'0'.repeat(199)}`, '1/2', 'a1b22c333']]] })
  t.pass('20 sets of texts')
})

t.test('codes and chapters sort 1, 2, 10, and a chapter comes before its parts', async (t) => {
  await add(['10', '2', '1', '1.10', '1.9', 'EST-10', 'EST-9', '02'].map(clave => ({ clave })))
  const claves = async (ordering: string) => (await director.get(`conceptos/?contract=${contract}&ordering=${ordering}`)).json().results.map(({ clave }: { clave: string }) => clave)
  t.strictSame(await claves('clave'), ['1', '1.9', '1.10', '2', '02', '10', 'EST-9', 'EST-10'])
  t.strictSame(await claves('-clave'), ['EST-10', 'EST-9', '10', '2', '02', '1.10', '1.9', '1'])

  const chapters = ['10 Acabados', '2 Estructura', '2 Estructura/2.10', '2 Estructura/2.9', '2 Estructura - extra', '1 Preliminares']
  await add(chapters.map((capitulo, index) => ({ clave: `C${index}`, capitulo })))
  const { results } = (await director.get(`conceptos/?contract=${contract}&ordering=capitulo,clave&fields=capitulo`)).json()
  t.strictSame(results.map(({ capitulo }: { capitulo: string }) => capitulo),
    ['1 Preliminares', '2 Estructura', '2 Estructura/2.9', '2 Estructura/2.10', '2 Estructura - extra', '10 Acabados'])
})

t.test('folios still sort by code point', async (t) => {
  for (const folio of ['ZZ-10', 'ZZ-9']) t.equal((await director.post('contracts/', { folio })).statusCode, 201)
  const { results } = (await director.get('contracts/?search=zz-&ordering=folio')).json()
  t.strictSame(results.map(({ folio }: { folio: string }) => folio), ['ZZ-10', 'ZZ-9'])
})

for (const field of ['clave', 'capitulo'] as const) {
  t.test(`conceptos by ${field}: the order is that of the model, then by id; next links and page numbers agree`, async (t) => {
    await fc.assert(fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (made, size, descending) => {
      await add(made.map((text, index) => ({ clave: `C${index}`, [field]: text })))
      const stored: Array<{ id: number, clave: string, capitulo: string }> = (await director.get(`conceptos/?contract=${contract}&page_size=200`)).json().results
      const expected = stored.map(record => ({ id: record.id, key: naturalKey(record[field]) }))
        .sort((a, b) => a.key === b.key ? a.id - b.id : (a.key < b.key) === descending ? 1 : -1).map(({ id }) => id)

      const query = `conceptos/?contract=${contract}&ordering=${descending ? '-' : ''}${field}&fields=id,${field}&page_size=${size}`
      const ids = (body: { results: Array<{ id: number }> }) => body.results.map(({ id }) => id)
      const followed: number[] = []
      for (let url: string | null = query; url !== null;) {
        const body: { next: string | null, results: Array<{ id: number }> } = (await director.get(url)).json()
        followed.push(...ids(body))
        url = body.next === null ? null : body.next.slice(body.next.indexOf('conceptos'))
      }
      if (JSON.stringify(followed) !== JSON.stringify(expected)) throw new Error(`by next: ${JSON.stringify([followed, expected])}`)
      const last = Math.ceil(expected.length / size)
      if (JSON.stringify(ids((await director.get(`${query}&page=last`)).json())) !== JSON.stringify(expected.slice((last - 1) * size))) throw new Error('last page')
    }), { numRuns: 6 })
    t.pass('6 sets of texts')
  })
}
