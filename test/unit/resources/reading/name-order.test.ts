import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../support/helper.ts'
import { nameKey } from '../../../support/name-key.ts'

const server = await build(t)
const { as, psql } = server
const [director, superusuario] = [await as('director@demo.example'), await as('superusuario@demo.example')]

t.test('the sort key of a letter is the same as in JavaScript, with any locale of the server', async (t) => {
  // The key must not depend on the server's `lower`, so letters of other scripts have no case.
  const letters = Array.from({ length: 0x590 - 0x20 }, (_, index) => String.fromCodePoint(index + 0x20)).filter(letter => /\P{Cn}/u.test(letter))
  const others = ['ẞ', 'ß', '–', '“', '¿', '漢', 'ا', '👷', 'Å', 'ﬁ', '１', 'ạ', 'Ế', 'İ', 'ı', 'ΟΔΟΣ οδος']
  const names = [...letters, ...others, ...letters.map(letter => `A${letter}É`)]
  const rows = await psql('select encode(convert_to(sort_text(n), \'UTF8\'), \'hex\') as key from unnest($1::text[]) with ordinality as x (n, i) order by i', [names])
  const wrong = names.filter((name, index) => rows[index]?.['key'] !== nameKey(name))
  t.strictSame(wrong, [])
  t.equal(rows.length, names.length)

  // In Turkish `lower` changes I to ı; under C it leaves Ж.
  const collations = (await psql("select collname::text as name from pg_collation where collname in ('C', 'tr-x-icu', 'es-x-icu', 'und-x-icu', 'C.utf8', 'ucs_basic')")).map(({ name }) => name as string)
  for (const name of collations) t.strictSame(await psql(`select sort_text('IŽİ ЖØΣ' collate "${name}") as key`), [{ key: 'izi жøσ' }], name)
})

// Few letters, so that many names differ only in case and accents.
const word = fc.string({ unit: fc.constantFrom('a', 'A', 'á', 'Á', 'a\u0301', 'z', 'Z', 'ñ', 'N', 'ø', 'Ø', 'Ж', 'ж', '-', '_', '.', ' ', '1', '&'), minLength: 1, maxLength: 5 })
const names = fc.uniqueArray(word.map(text => `x${text}x`.normalize()), { minLength: 8, maxLength: 25 })

for (const [resource, client, make, owner] of [
  ['contrapartes', director, 'insert into contrapartes (company_id, nombre) select 1, unnest($1::text[])', 'company_id = 1'],
  ['customers', superusuario, 'insert into customers (nombre) select unnest($1::text[])', 'id > 2'],
  ['companies', superusuario, 'insert into companies (nombre, customer_id) select unnest($1::text[]), 1', 'id > 3'],
  ['users', superusuario, "insert into users (email, password, nombre) select 'u' || i || '@obra.example', '!', n from unnest($1::text[]) with ordinality as x (n, i)", "email like 'u%@obra.example'"]
] as const) {
  t.test(`${resource} by nombre: case and accents do not matter, then by id; next links and page numbers agree`, async (t) => {
    const all = async () => (await client.get(`${resource}/?page_size=200`)).json().results as Array<{ id: number, nombre: string }>
    await fc.assert(fc.asyncProperty(names, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (made, size, descending) => {
      await psql(`delete from ${resource} where ${owner} and nombre like 'x%x'`)
      await psql(make, [made])
      const expected = (await all()).map(({ id, nombre }) => ({ id, key: nameKey(nombre) }))
        .sort((a, b) => a.key === b.key ? a.id - b.id : (a.key < b.key) === descending ? 1 : -1).map(({ id }) => id)

      const query = `${resource}/?ordering=${descending ? '-' : ''}nombre&fields=id,nombre&page_size=${size}`
      const ids = (body: { results: Array<{ id: number }> }) => body.results.map(({ id }) => id)
      const followed: number[] = []
      for (let url: string | null = query; url !== null;) {
        const body: { next: string | null, results: Array<{ id: number }> } = (await client.get(url)).json()
        followed.push(...ids(body))
        url = body.next === null ? null : body.next.slice(body.next.indexOf(resource))
      }
      if (JSON.stringify(followed) !== JSON.stringify(expected)) throw new Error(`by next: ${JSON.stringify([followed, expected])}`)
      const last = Math.ceil(expected.length / size)
      for (const page of [String(Math.ceil(last / 2)), String(last), 'last']) {
        const number = page === 'last' ? last : Number(page)
        const byNumber = ids((await client.get(`${query}&page=${page}`)).json())
        if (JSON.stringify(byNumber) !== JSON.stringify(expected.slice((number - 1) * size, number * size))) throw new Error(`page ${page}`)
      }
    }), { numRuns: 8 })
    t.pass('8 sets of names')
  })
}

t.test('the tax ids of counterparties and the addresses of users sort by code point', async (t) => {
  await psql("update contrapartes set rfc = case id % 4 when 0 then 'ÑAA010101AA1' when 1 then '&AA010101AA1' when 2 then 'ZAA010101AA1' else 'AAA010101AA1' end where company_id = 1")
  const rfcs: string[] = (await director.get('contrapartes/?ordering=rfc&page_size=200&fields=rfc')).json().results.map(({ rfc }: { rfc: string }) => rfc)
  t.strictSame([...new Set(rfcs.filter(rfc => rfc !== null))], ['&AA010101AA1', 'AAA010101AA1', 'ZAA010101AA1', 'ÑAA010101AA1'])
  await psql("insert into users (email, password) values ('a_b@obra.example', '!'), ('a.c@obra.example', '!'), ('aa@obra.example', '!'), ('a-d@obra.example', '!')")
  const emails: string[] = (await superusuario.get('users/?ordering=email&page_size=200&fields=email')).json().results.map(({ email }: { email: string }) => email)
  t.strictSame(emails, emails.toSorted((a, b) => a < b ? -1 : 1))
})
