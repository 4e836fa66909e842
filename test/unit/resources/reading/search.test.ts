import fc from 'fast-check'
import t from 'tap'
import { companyResources } from '../../../../src/domain/entities/index.ts'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import { readPage } from '../../../../src/resources/reading/page.ts'
import type { Readable } from '../../../../src/resources/declaration/base-resource.ts'
import { asCompany } from '../../../support/as-company.ts'
import { character as anyCharacter } from '../../../support/character.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { indexCompany } from '../../../support/search-index.ts'

const character = fc.oneof(
  fc.constantFrom(...'aábeéiñÑoóuüCcdlr019%_\\\'"&|!:*()<->.,$', '\u0301', '\u0303', '🏗', '👷‍♀️', 'ß', 'ẞ', 'İ', 'ı', 'ﬁ', 'ς', 'Σ', 'Ł', 'ø', 'œ', 'Æ', '. a', '.', '\u00a0', '\t'),
  anyCharacter.filter(text => text !== '\0'))
const words = (maxLength: number) => fc.array(fc.string({ unit: character, minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 4 })
  .map(words => [...words.join(' ')].slice(0, maxLength).join(''))
const record = fc.record({ folio: words(30), descripcion: fc.option(words(40), { nil: '' }), party: fc.option(fc.nat(3)) })
/** Substrings of the texts, and random strings. */
const term = (texts: string[]) => fc.oneof(
  fc.string({ unit: character, minLength: 1, maxLength: 6 }),
  fc.tuple(fc.constantFrom(...texts), fc.nat(40), fc.integer({ min: 1, max: 14 })).map(([text, from, length]) => [...text].slice(from % [...text].length).slice(0, length).join('')))
const data = fc.record({
  parties: fc.uniqueArray(words(30), { minLength: 4, maxLength: 4 }),
  records: fc.uniqueArray(record, { minLength: 1, maxLength: 12, selector: ({ folio }) => folio })
}).chain(given => fc.record({
  given: fc.constant(given),
  batches: fc.nat(6),
  searches: fc.array(fc.array(term([...given.parties, ...given.records.flatMap(({ folio, descripcion }) => [folio, descripcion])].filter(text => text !== '')), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
}))

t.test('search by index finds the same records as a scan of all texts', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ customer }] = await psql('select id as customer from customers limit 1') as [{ customer: number }]
  const read = readTurn(sql)
  let made = 0

  /** The ids of the records that contain all terms, by a scan of the company's texts. */
  async function naive (company: number, terms: string[]): Promise<Row> {
    const everywhere = (...columns: string[]) => `not exists (select from unnest($2::text[]) term where not (${columns.map(column => `coalesce(strpos(search_term(${column}), search_term(term)) > 0, false)`).join(' or ')}))`
    const [row] = await psql(`
      select array(
          select t.id from contracts t left join contrapartes p on p.id = t.contraparte_id
          where t.company_id = $1 and ${everywhere("t.folio || ' ' || t.descripcion", 'p.nombre')} order by t.id) as contracts,
        array(select p.id from contrapartes p where p.company_id = $1 and ${everywhere('p.nombre')} order by p.id) as contrapartes`, [company, terms])
    return row
  }

  async function check (company: number, searches: string[][]): Promise<void> {
    for (const terms of searches) {
      const search = terms.join(' ')
      const found = async (resource: Readable) => (await readPage(asCompany(read, company), resource, { search, page_size: 200 }, 'UTC')).results.map(({ id }) => id)
      t.same({ contracts: await found(contracts), contrapartes: await found(contrapartes) }, await naive(company, search.split(/\s+/).filter(Boolean)), JSON.stringify(search))
    }
  }

  await fc.assert(fc.asyncProperty(data, async ({ given: { parties, records }, batches, searches }) => {
    const [{ id: company }] = await psql('insert into companies (nombre, customer_id) values ($1, $2) returning id', [`B ${++made}`, customer]) as [{ id: number }]
    await psql('insert into contrapartes (company_id, nombre) select $1, * from unnest($2::text[])', [company, parties])
    await psql(`
      insert into contracts (company_id, folio, descripcion, contraparte_id)
      select $1, folio, descripcion, (select id from contrapartes where company_id = $1 and nombre = party) from unnest($2::text[], $3::text[], $4::text[]) q (folio, descripcion, party)`,
    [company, records.map(({ folio }) => folio), records.map(({ descripcion }) => descripcion), records.map(({ party }) => party === null ? null : parties[party])])
    await check(company, searches)
    // Some of the records are in the index.
    await indexCompany(psql, company, 3, batches)
    await check(company, searches)

    // Changed names, texts and references, and deletes.
    await psql("update contrapartes set nombre = right(reverse(nombre) || '-nueva', 200) where company_id = $1 and id % 2 = 0", [company])
    await psql("update contracts set descripcion = folio || ' ' || descripcion, contraparte_id = (select max(id) from contrapartes where company_id = $1) where company_id = $1 and id % 3 = 0", [company])
    await psql('delete from contracts where company_id = $1 and id % 3 = 1', [company])
    await check(company, [...searches, ['nueva'], ['ueva'], ['eva', 'n']])
    await indexCompany(psql, company)
    await check(company, [...searches, ['nueva'], ['ueva'], ['eva', 'n']])
    const texts = async (table: string, text: string) => await psql(`select id, ${text} as text from ${table} where company_id = $1 order by id`, [company])
    t.same(await texts('search.contracts', 'busqueda'), await texts('contracts', 'search_form(busqueda)'), 'all records are in the index, and no deleted ones')
  }), { numRuns: 10 })
})

t.test('the search index covers every searchable resource', async (t) => {
  const { psql } = await openTestDatabase(t)
  const declared = companyResources.filter(({ search }) => search.length > 0).map(({ name, references, searchReference = '' }) =>
    ({ name, reference: references[searchReference]?.column ?? null, referred: references[searchReference]?.resource ?? null, table: `search.${name}` }))
  t.same(await psql("select name, reference, referred, to_regclass('search.' || name)::text as table from search_resources order by name"), declared.sort((a, b) => a.name < b.name ? -1 : 1))
})
