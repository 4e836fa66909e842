import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('search', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const find = async (text: string): Promise<string[]> => {
    const response = await director.get(`contracts/?page_size=200&ordering=folio&fields=folio&search=${encodeURIComponent(text)}`)
    return response.statusCode === 200 ? response.json().results.map(({ folio }: { folio: string }) => folio) : [`${response.statusCode}`]
  }
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  await director.send('PATCH', 'me/', { company })
  await psql("insert into contrapartes (company_id, nombre) values ($1, 'Cimentación Ñandú, S.A. de C.V.'), ($1, 'O''Brien & Hijos')", [company])
  const contracts = [
    { folio: 'A-1', descripcion: 'Cimentación de la torre', contraparte: null },
    { folio: 'B-2', descripcion: 'Acabados en Álamos', contraparte: 'Cimentación Ñandú, S.A. de C.V.' },
    { folio: 'ÑU-3', descripcion: 'Torre 100% terminada', contraparte: "O'Brien & Hijos" },
    { folio: 'C_4', descripcion: 'ruta C:\\obra\\norte "sur" [x] (y) *', contraparte: null },
    { folio: 'D4', descripcion: '', contraparte: null }
  ]
  for (const contract of contracts) t.equal((await director.post('contracts/', contract)).statusCode, 201)

  t.test('searches folio, descripcion and the counterparty\'s name', async (t) => {
    t.strictSame(await find('A-1'), ['A-1'])
    t.strictSame(await find('acabados'), ['B-2'])
    t.strictSame(await find('brien'), ['ÑU-3'])
    t.strictSame(await find('cimentacion'), ['A-1', 'B-2'])
    t.strictSame(await find('inexistente'), [])
    t.strictSame(await find('vigente'), [], 'no other field')
    t.strictSame(await find('MXN'), [])
  })

  t.test('ignores case and accents, in the term and in the data', async (t) => {
    for (const word of ['cimentación', 'CIMENTACIÓN', 'Cimentacion', 'cimentación'.normalize('NFD'), 'mentaciö']) t.strictSame(await find(word), ['A-1', 'B-2'], word)
    for (const word of ['ñandú', 'NANDU', 'nandu', 'Ñandu']) t.strictSame(await find(word), ['B-2'], word)
    t.strictSame(await find('ñu-3'), ['ÑU-3'])
    t.strictSame(await find('alamos'), ['B-2'])
  })

  t.test('requires every word, in any order and in any of the three fields', async (t) => {
    t.strictSame(await find('torre cimentación'), ['A-1'])
    t.strictSame(await find('  cimentación \t torre  '), ['A-1'])
    t.strictSame(await find('nandu b-2 acabados'), ['B-2'])
    t.strictSame(await find('torre nandu'), [])
    t.strictSame(await find('hijos 100% torre ñu'), ['ÑU-3'])
  })

  t.test('takes wildcards, quotes and backslashes literally', async (t) => {
    for (const [text, folios] of [['%', ['ÑU-3']], ['100%', ['ÑU-3']], ['1%', []], ['_', ['C_4']], ['C_4', ['C_4']], ['D_', []], ["o'b", ['C_4', 'ÑU-3']], ['&', ['ÑU-3']],
      ['\\', ['C_4']], ['c:\\obra\\norte', ['C_4']], ['"sur"', ['C_4']], ['[x]', ['C_4']], ['(y)', ['C_4']], ['*', ['C_4']], ["';--", []], ['$1', []], ['.*', ['C_4']], ['^', []]] as const) {
      t.strictSame(await find(text), folios, text)
    }
  })

  t.test('for an empty term finds all', async (t) => {
    for (const nothing of ['', ' ', '\t\n', "'"]) t.equal((await find(nothing)).length, 5)
  })

  t.test('finds a contract by its counterparty\'s new name immediately', async (t) => {
    t.strictSame(await find('quetzal'), [])
    await psql("update contrapartes set nombre = 'Quetzal' where nombre like 'O''Brien%'")
    t.strictSame(await find('quetzal'), ['ÑU-3'])
    t.strictSame(await find('brien'), [])
  })
})
