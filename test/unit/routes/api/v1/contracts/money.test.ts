import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'

t.test('money', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const { id } = (await director.post('contracts/', { folio: 'DINERO' })).json()
  const patch = async (json: string) => await director.send('PATCH', `contracts/${id}/`, `{"monto":${json}}`, { 'content-type': 'application/json' })
  const stored = async () => (await psql('select monto::text from contracts where id = $1', [id]))[0]?.['monto']

  t.test('is accepted as string and as number, exactly', async (t) => {
    const amounts = [
      ['"1500"', '1500.00'], ['"1500.5"', '1500.50'], ['"1500.50"', '1500.50'], ['" 1500.5 "', '1500.50'], ['"0001.10"', '1.10'],
      ['1500', '1500.00'], ['1500.5', '1500.50'], ['1500.50', '1500.50'], ['0', '0.00'], ['-0', '0.00'], ['-0.00', '0.00'], ['0.1', '0.10'], ['0.07', '0.07'],
      ['1.1', '1.10'], ['4.35', '4.35'], ['1.15', '1.15'], ['8.2', '8.20'], ['1234567.89', '1234567.89'], ['90071992547409.93', '90071992547409.93'],
      ['9007199254740993', '9007199254740993.00'], ['9007199254740993.01', '9007199254740993.01'], ['"9007199254740993.01"', '9007199254740993.01'],
      ['9999999999999999.99', '9999999999999999.99'], ['"9999999999999999.99"', '9999999999999999.99'], ['9999999999999999', '9999999999999999.00']
    ] as const
    for (const [json, amount] of amounts) {
      const response = await patch(json)
      t.equal(response.statusCode, 200, json)
      t.equal(response.json().monto, amount, json)
      t.equal((await director.get(`contracts/${id}/`)).json().monto, amount, json)
      t.equal(await stored(), amount, json)
    }
  })

  t.test('that is not exact is refused, never rounded', async (t) => {
    await patch('"12.34"')
    const places = 'Ensure that there are no more than 2 decimal places.'
    const digits = 'Ensure that there are no more than 16 digits before the decimal point.'
    const number = 'A valid number is required.'
    const refused = [
      ['"1.005"', places], ['1.005', places], ['0.30000000000000004', places], ['1.000', places], ['"1.000"', places], ['"0.001"', places],
      ['10000000000000000', digits], ['"10000000000000000.00"', digits], ['12345678901234567890', digits],
      ['1e2', number], ['1E2', number], ['1.5e3', number], ['1e-2', number], ['1e400', number], ['"1e2"', number], ['"NaN"', number], ['"Infinity"', number],
      ['"1,500.00"', number], ['"1.500,00"', number], ['"1 500"', number], ['"1_500"', number], ['"$1500"', number], ['"0x10"', number], ['"١٥"', number],
      ['""', number], ['"."', number], ['"1."', number], ['".5"', number], ['"--1"', number], ['"1.2.3"', number], ['"mil"', number],
      ['true', number], ['[]', number], ['["1.00"]', number], ['{}', number], ['{"source":"1.00"}', number],
      ['null', 'This field may not be null.'],
      ['-1', 'Ensure this value is greater than or equal to 0.'], ['"-0.01"', 'Ensure this value is greater than or equal to 0.']
    ] as const
    for (const [json, message] of refused) {
      const response = await patch(json)
      t.equal(response.statusCode, 400, json)
      t.strictSame(response.json(), invalid({ monto: [message] }), json)
    }
    t.equal(await stored(), '12.34')
  })

  const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })).map(([cents]) => {
    const digits = cents.toString().padStart(3, '0')
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`
  })

  t.test('of any amount is returned unchanged, by detail, list and filters', async () => {
    await fc.assert(fc.asyncProperty(amount, fc.boolean(), async (given, quoted) => {
      const written = (await patch(quoted ? `"${given}"` : given)).json().monto
      const read = (await director.get(`contracts/${id}/`)).json().monto
      const { results } = (await director.get(`contracts/?folio=DINERO&monto_min=${given}&monto_max=${given}`)).json()
      return written === given && read === given && results.length === 1 && results[0].monto === given
    }), { numRuns: 25 })
  })

  t.test('that differs by a cent is a change, and is distinguished by filters', async (t) => {
    await patch('"9999999999999999.98"')
    const { version } = (await director.get(`contracts/${id}/`)).json()
    t.match((await patch('"9999999999999999.99"')).json(), { monto: '9999999999999999.99', version: version + 1 })
    t.equal(await stored(), '9999999999999999.99')
    t.match((await patch('9999999999999999.99')).json(), { version: version + 1 }, 'the same amount is no change')
    t.equal((await director.get('contracts/?monto_min=9999999999999999.99')).json().count, 1)
    t.equal((await director.get('contracts/?folio=DINERO&monto_max=9999999999999999.98')).json().count, 0)
  })

  t.test('is as exact for percentages', async (t) => {
    for (const [json, kept] of [['"33.33"', '33.33'], ['0.07', '0.07'], ['100', '100.00'], ['"100.00"', '100.00'], ['-0', '0.00'], ['16.10', '16.10']] as const) {
      const response = await director.send('PATCH', `contracts/${id}/`, `{"iva_porcentaje":${json}}`, { 'content-type': 'application/json' })
      t.equal(response.json().iva_porcentaje, kept, json)
    }
  })
})
