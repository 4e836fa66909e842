import t from 'tap'
import { describe } from '../../../src/openapi/document.ts'

t.test('with the address of the service, it is the only server', async (t) => {
  const urls = async (url?: string) => (await describe([], url)).servers?.map(server => server.url)
  t.strictSame(await urls('https://api.example.mx'), ['https://api.example.mx'])
  t.strictSame(await urls(), ['/', 'http://127.0.0.1:3000'])
})
