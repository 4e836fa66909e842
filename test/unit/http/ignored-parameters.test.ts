import t from 'tap'
import { message } from '../../../src/http/messages.ts'
import { build } from '../../support/helper.ts'
import { invalid } from '../../support/invalid.ts'

const { as } = await build(t)
const director = await as('director@demo.example')
const ignored = ['_=1700000000000', '_', '_=', '_=1&_=2', 'format=json', '_=1&format=json', 'format=json&format=json']

t.test('`_` and `format=json` are ignored by every GET', async (t) => {
  for (const url of ['contracts/', 'contracts/1/', 'contracts/1/tree/', 'contracts/1/ancestors/', 'estimates/', 'contrapartes/', 'changes/', 'me/', 'webhooks/']) {
    const plain = await director.get(url)
    for (const query of ignored) {
      const response = await director.get(`${url}?${query}`)
      t.strictSame([response.statusCode, response.body, response.headers.etag], [200, plain.body, plain.headers.etag], `${url}?${query}`)
    }
  }
})

t.test('they are not part of links, and other parameters stay', async (t) => {
  const { next } = (await director.get('contracts/?_=1&page_size=2&format=json&ordering=-folio&_=2')).json()
  t.strictSame([...new URL(next).searchParams.keys()], ['cursor', 'ordering', 'page', 'page_size'])
  t.equal((await director.get(`${next.split('/api/v1/')[1]}&_=3`)).statusCode, 200)
  t.strictSame((await director.get('contracts/?_=1&__=1&_x=1')).json().errors, { __: ['Unknown query parameter.'], _x: ['Unknown query parameter.'] })
})

t.test('a write takes them too', async (t) => {
  t.equal((await director.post('contracts/?_=1&format=json', { folio: 'IGN-1' })).statusCode, 201)
  t.equal((await director.send('PATCH', 'contracts/1/?_=1&format=json', {})).statusCode, 200)
})

t.test('a format beside another one is 400 under its name, as a parameter that is given twice', async (t) => {
  const repeated = invalid({ format: [message('en', 'repeatedParameter')] })
  for (const url of ['contracts/', 'contracts/1/', 'contracts/1/estado-de-cuenta/', 'estimates/1/conceptos/', 'history/', 'me/']) {
    for (const query of [
      'format=json&format=csv', 'format=csv&format=json', 'format=json&f%6Frmat=csv', 'f%6Frmat=csv&format=json', 'format=json&_=1&format=xml', 'format&format=json', 'format=json&format='
    ]) {
      const response = await director.get(`${url}?${query}`)
      t.strictSame([response.statusCode, response.json()], [400, repeated], `${url}?${query}`)
    }
  }
  for (const url of ['contracts/', 'contracts/1/estado-de-cuenta/']) {
    const response = await director.get(`${url}?format=csv&format=csv`)
    t.strictSame([response.statusCode, response.json()], [400, repeated], `${url} twice the same`)
  }
})

t.test('another format is 400 under its name', async (t) => {
  for (const [url, choices] of [['contracts/', ['json', 'csv']], ['contracts/1/', ['json']], ['me/', ['json']], ['changes/', ['json']]] as const) {
    for (const format of ['xml', 'api', 'JSON', '']) {
      const response = await director.get(`${url}?format=${format}`)
      t.strictSame([response.statusCode, response.json()], [400, invalid({ format: [message('en', 'invalidChoiceOf', { input: format, choices })] })], `${url} ${format}`)
    }
  }
})
