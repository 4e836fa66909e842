import t from 'tap'
import fc from 'fast-check'
import { message, type MessageKey, type MessageValues } from '../../../../../../src/http/messages.ts'
import { build } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const { as } = await build(t)
const director = await as('director@demo.example')
const type = { 'content-type': 'text/csv' }
const send = async (url: string, text: string | Buffer, headers: Record<string, string> = {}) => await director.post(url, text, { ...type, ...headers })

t.test('rows are items, and the answer is that of JSON', async (t) => {
  const text = '\ufefffolio,contraparte,monto,descripcion,parent.external_id,external_id\r\nCSV-1,,1500.5,"dos\nlíneas, ""y"" más",,C-1\r\n\r\nCSV-2,"Aceros y Estructuras Lumen, S.A. de C.V.",,\'=1+1,C-1,C-2\r\n'
  const made = await send('contracts/bulk/', text)
  t.equal(made.statusCode, 201, made.body)
  const [first, second] = made.json().results
  t.match(first, { folio: 'CSV-1', contraparte: null, monto: '1500.50', descripcion: 'dos\nlíneas, "y" más', external_id: 'C-1' })
  t.match(second, { contraparte: 'Aceros y Estructuras Lumen, S.A. de C.V.', monto: '0.00', descripcion: '=1+1', parent: first.id })
  const changed = await send('contracts/bulk/?upsert=external_id', 'external_id,folio,monto,descripcion\nC-1,CSV-1,7,\n')
  t.match([changed.statusCode, changed.json().results], [201, [{ id: first.id, monto: '7.00', descripcion: first.descripcion }]], 'an empty or missing cell keeps its field')
  const partial = await send('contracts/bulk/?upsert=external_id&partial=true', 'external_id,folio,monto\nC-1,CSV-1,8\nC-2,CSV-2,x\n')
  t.match([partial.statusCode, partial.json().results], [200, [{ monto: '8.00' }, { errors: { monto: [message('en', 'notNumber')] } }]])
})

t.test('empty rows and empty columns after the last one are ignored, as spreadsheets write them', async (t) => {
  const made = await send('contracts/bulk/', ',,,\nfolio,monto, ,\nVACIA-1,1,,\n,,,\n\n , ,,\nVACIA-2,,,\nVACIA-3,3\n,,,,,,\n')
  t.equal(made.statusCode, 201, made.body)
  t.match(made.json().results, [{ folio: 'VACIA-1', monto: '1.00' }, { folio: 'VACIA-2', monto: '0.00' }, { folio: 'VACIA-3', monto: '3.00' }])
  t.equal(made.json().count, 3)
})

t.test('with empty=clear, an empty cell clears its field, and a missing column keeps it', async (t) => {
  const first = 'folio,contraparte,descripcion,fecha_inicio,monto,parent.external_id,external_id\n'
  const made = await send('contracts/bulk/', `${first}CLR-0,,,,,,CLR-0\nCLR-1,"Aceros y Estructuras Lumen, S.A. de C.V.",texto,2026-03-01,5,CLR-0,CLR-1\n`)
  t.equal(made.statusCode, 201, made.body)
  const upsert = async (text: string, empty = 'clear') => await send(`contracts/bulk/?upsert=external_id&empty=${empty}`, text)
  const header = 'external_id,folio,contraparte,descripcion,fecha_inicio,parent.external_id\n'
  const before = { folio: 'CLR-1', descripcion: 'texto', fecha_inicio: '2026-03-01', monto: '5.00' }
  t.match((await upsert(`${header}CLR-1,CLR-1,,,,\n`, 'keep')).json().results, [before])
  const cleared = await upsert(`${header}CLR-1,CLR-1,,,,\n`)
  t.equal(cleared.statusCode, 201, cleared.body)
  const [{ folio, contraparte, descripcion, fecha_inicio: begins, parent, monto }] = cleared.json().results
  t.strictSame([folio, contraparte, descripcion, begins, parent, monto], ['CLR-1', null, '', null, null, '5.00'])
  const refused = await upsert('external_id,folio,monto,moneda\nCLR-1,,,\n')
  const [blank, none] = (['blank', 'null'] as const).map(key => [message('en', key)])
  t.strictSame([refused.statusCode, refused.json().errors], [400, { 'items.0.folio': blank, 'items.0.monto': none, 'items.0.moneda': none }])
  t.strictSame((await upsert('folio\nA', 'x')).json(), invalid({ empty: [message('en', 'invalidChoiceOf', { input: 'x', choices: 'keep, clear' })] }))
})

t.test('booleans can be those of Excel in Spanish', async (t) => {
  const words = ['VERDADERO', 'falso', 'Sí', 'no', 'true', 'FALSE', '1', '0']
  const made = await send('contrapartes/bulk/', `nombre,activo\n${words.map((word, n) => `CSV ${n},${word}`).join('\n')}`)
  t.strictSame(made.json().results.map(({ activo }: { activo: boolean }) => activo), [true, false, true, false, true, false, true, false])
})

t.test('a wrong file is one 400 that names its row', async (t) => {
  const problem = (key: MessageKey, values?: MessageValues, field = 'non_field_errors') => ({ [field]: [message('en', key, values)] })
  const cases: Array<[text: string, errors: Record<string, string[]>]> = [
    ['folio\n', problem('csvEmpty')],
    ['\n', problem('csvEmpty')],
    ['folio,nada,__proto__\nA,b,c\nB,b,c', { ...problem('unknownField', {}, 'nada'), ['__proto__']: [message('en', 'unknownField')] }],
    ['folio;monto\nA;1', problem('unknownField', {}, 'folio;monto')],
    ['folio,monto,folio\nA,1,B', problem('csvRepeated', {}, 'folio')],
    ['folio,parent,parent.external_id\nA,1,B', problem('csvRepeated', {}, 'parent.external_id')],
    ['folio,,monto\nA,,1', problem('csvUnnamed', { row: 1, column: 2 })],
    ['folio,\nA,b', problem('csvCells', { row: 2, cells: 2, columns: 1 }, 'items.0')],
    [',,\n , \n', problem('csvEmpty')],
    ['folio,monto,\n,,\nA,1,2\n', problem('csvCells', { row: 3, cells: 3, columns: 2 }, 'items.0')],
    ['folio,monto\nA,1\n\nB\nC,1,2', { ...problem('csvCells', { row: 4, cells: 1, columns: 2 }, 'items.1'), ...problem('csvCells', { row: 5, cells: 3, columns: 2 }, 'items.2') }],
    ['folio,monto\nA,1\n"B,2\n', problem('csvQuotes', { row: 3 })],
    ['folio,monto\nA,1\n"B"x,2\n', problem('csvQuotes', { row: 3 })],
    ['folio,monto\nA,1\nB"x",2\n', problem('csvQuotes', { row: 3 })],
    [`folio\n${'A\n'.repeat(1001)}`, problem('maxItems', { max_length: 1000 }, 'items')],
    ['folio\nA\0', problem('nullCharacter', {}, 'items.0.folio')],
    ['folio,monto,company\nA,1,1\nB,1.005,3', { ...problem('maxDecimalPlaces', { max_decimal_places: 2 }, 'items.1.monto'), ...problem('companyMismatch', {}, 'items.1.company') }]
  ]
  for (const [text, errors] of cases) {
    const { statusCode, json } = await send('contracts/bulk/', text)
    t.strictSame([statusCode, Object.entries(json().errors)], [400, Object.entries(errors)], text.slice(0, 60))
  }
  t.strictSame((await send('contracts/bulk/?upsrt=folio', 'folio\nA')).json(), invalid({ upsrt: [message('en', 'unknownParameter')] }))
  t.match((await send('contracts/bulk/?upsert=monto', 'folio\nA')).json(), { codes: { upsert: ['invalid_choice'] } })
  t.strictSame((await send('contracts/bulk/', Buffer.from('folio\nAÑO', 'latin1'))).json(), invalid(problem('bodyNotUtf8')))
  t.equal((await send('contracts/bulk/', 'folio\nA', { 'content-type': 'text/csv; charset=iso-8859-1' })).statusCode, 415)
  t.equal((await send('contracts/', 'folio\nA')).statusCode, 415, 'only bulks take CSV')
  t.equal((await send('contracts/bulk/', ','.repeat(1_000_001))).statusCode, 413)
  t.equal((await (await as('auxiliar@demo.example')).post('contracts/bulk/', 'nada"', type)).statusCode, 403, 'rights come first')
})

t.test('the whole list of contracts can be sent back, and changes nothing', async (t) => {
  const { body } = await director.get('contracts/?format=csv')
  const sent = await send('contracts/bulk/?upsert=folio', body)
  t.equal(sent.statusCode, 201, sent.body.slice(0, 300))
  t.equal((await director.get('contracts/?format=csv')).body, body)
})

t.test('an exported and written file has the same records, with any text', async (t) => {
  const part = fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\r\n', '\n', '\t', 'ñ', 'Á', '👷', '\u0301', ' ', 'a', '7')
  const nasty = fc.array(part, { maxLength: 12 }).map(parts => parts.join(''))
  let round = 0
  await fc.assert(fc.asyncProperty(fc.array(fc.record({ notas: nasty, direccion: nasty }), { minLength: 1, maxLength: 8 }), async (texts) => {
    const prefix = `R${round++}`
    const { results: made } = succeeded(await director.post('contrapartes/bulk/', { items: texts.map((text, n) => ({ ...text, nombre: `${prefix}-${n}`, external_id: `${prefix}-${n}` })) }))
    const { body } = await director.get(`contrapartes/?search=${prefix}-&format=csv&ordering=id`)
    const { results } = succeeded(await send('contrapartes/bulk/?upsert=external_id', body))
    t.strictSame(results.filter(({ nombre }: { nombre: string }) => nombre.startsWith(`${prefix}-`)), made)
  }), { numRuns: 25 })
})
