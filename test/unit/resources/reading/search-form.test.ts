import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../support/helper.ts'
import { nameKey } from '../../../support/name-key.ts'
import { indexCompany } from '../../../support/search-index.ts'
import { searchForm } from '../../../support/search-form.ts'

const server = await build(t)
const { as, psql } = server
const director = await as('director@demo.example')

/** The searched forms of texts, as the database computes them from the texts, or from texts in the form of the columns. */
const formsOf = async (texts: string[], sql = 'search_term(n)') => (await psql(`select encode(convert_to(${sql}, 'UTF8'), 'hex') as form from unnest($1::text[]) with ordinality as x (n, i) order by i`, [texts]))
  .map(({ form }) => Buffer.from(form, 'hex').toString())

/** Spellings of the strength of concrete. */
const sameSigns = ['f\'c', 'f’c', 'f´c', 'f`c', 'f′c', 'f c', 'fʼc', 'f\u200b’c', 'F\'C', 'f ́c'.normalize('NFKC')]

const letters = Array.from({ length: 0x590 - 0x20 }, (_, index) => String.fromCodePoint(index + 0x20)).filter(letter => /\P{Cn}/u.test(letter))
const others = ['ẞ', 'Ạ', 'Ế', '–', '“', '…', '№', '²', 'º', 'ﬁ', '１', 'Å', 'K', '漢', 'ا', '👷', '각', '\u00a0', '\t', 'ΟΔΟΣ οδος', 'S. A. de C. V.', 'a. b. c. d.', 'x1. a. b.', 'a.  b.', '. a.', '...', 'S.A.P.I. de C.V.', 'Æ. Ø.', ...sameSigns, 'tipo a y b', 'x. .b c', '`\'x.\' b', '1/2″ – 3‑4']

t.test('the searched form of a letter is the same in SQL and in JavaScript', async (t) => {
  const texts = [...letters, ...others, ...letters.map(letter => `a${letter}. b.`)]
  const forms = await formsOf(texts)
  t.strictSame(texts.filter((text, index) => forms[index] !== searchForm(text)), [])
  t.equal(forms.length, texts.length)
})

/** Letters whose upper case is one of `letters` too. */
const cased = letters.filter(letter => [...letter.toUpperCase()].every(upper => upper.codePointAt(0) as number < 0x590))
const text = fc.string({ unit: fc.oneof(fc.constantFrom(...'aAbsSáÁñÑ. 1-\'’´ŉ\u200b\u00adßẞςσΣłŁøØđĐœŒæÆıİſ', '\u0301', ' a.', '. '), fc.constantFrom(...cased)), maxLength: 24 })

t.test('the searched form of any text is the same in SQL and in JavaScript, idempotent, and ignores case, accents and dots', async (t) => {
  await fc.assert(fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 60 }), async (texts) => {
    const forms = await formsOf(texts)
    const compare = (what: string, found: string[], expected: string[]) => {
      const index = found.findIndex((form, index) => form !== expected[index])
      if (index !== -1) throw new Error(`${what}: ${JSON.stringify([texts[index], found[index], expected[index]])}`)
    }
    compare('JavaScript', texts.map(searchForm), forms)
    compare('twice', await formsOf(forms), forms)
    compare('the form of a form', await formsOf(forms, 'search_form(n)'), forms)
    // U+0345 becomes a letter in upper case.
    const plain = texts.map(one => one.replaceAll('\u0345', ''))
    compare('case', await formsOf(plain.map(one => one.toUpperCase())), await formsOf(plain))
    compare('accents', await formsOf(texts.map(one => one.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))), forms)
    // An accent by itself, such as U+02D8, becomes a space.
    const words = texts.map(one => one.normalize('NFKD').replace(/\s/g, ''))
    compare('dots', await formsOf(words.map(one => one.replaceAll('.', ''))), await formsOf(words))
  }), { numRuns: 40, examples: [[[' a.˘ a.']]] })
  t.pass('40 sets of texts')
})

t.test('a word of a text is found by each of its parts, whatever its dots', async (t) => {
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(text, fc.nat(24), fc.integer({ min: 1, max: 6 })), { minLength: 20, maxLength: 40 }), async (cases) => {
    const parts = cases.map(([one, from, length]) => ({ one: one.normalize(), part: [...one.normalize()].slice(from, from + length).join('').normalize('NFKD').split(/\s+/)[0] }))
    const [whole, terms] = [await formsOf(parts.map(({ one }) => one)), await formsOf(parts.map(({ part }) => part))]
    for (const [index, form] of whole.entries()) if (!form.includes(terms[index])) throw new Error(JSON.stringify([parts[index], form, terms[index]]))
  }), { numRuns: 40 })
  t.pass('40 sets of parts')
})

t.test('counterparties and contracts are found by any spelling, before and after they are indexed', async (t) => {
  const names = ['Cementos S.A. de C.V.', 'Aceros SA de CV', 'Grúas S. A. de C. V.', 'Obras S. de R.L. de C.V.', 'Groß & Söhne', 'STRASSE', 'Οδός Αθηνάς', 'ΟΔΟΣ', 'Łódź', 'Bjørn', 'Đorđević', 'Cœur d’Ægir', 'ﬁnca Nº 3']
  const searches: Record<string, string[]> = {
    'sa de cv': names.slice(0, 3),
    'S.A. de C.V.': names.slice(0, 3),
    's.a. DE cv.': names.slice(0, 3),
    'S. A. de C. V.': names.slice(0, 4),
    's. de r. l.': ['Obras S. de R.L. de C.V.'],
    'rl de c.v.': ['Obras S. de R.L. de C.V.'],
    gross: ['Groß & Söhne'],
    GROSS: ['Groß & Söhne'],
    groß: ['Groß & Söhne'],
    straße: ['STRASSE'],
    οδος: ['Οδός Αθηνάς', 'ΟΔΟΣ'],
    οδοσ: ['Οδός Αθηνάς', 'ΟΔΟΣ'],
    lodz: ['Łódź'],
    ŁODZ: ['Łódź'],
    bjorn: ['Bjørn'],
    BJØRN: ['Bjørn'],
    dordevic: ['Đorđević'],
    coeur: ['Cœur d’Ægir'],
    'CŒUR aegir': ['Cœur d’Ægir'],
    'finca no': ['ﬁnca Nº 3']
  }
  for (const nombre of names) {
    const made = await director.post('contrapartes/', { nombre })
    t.equal(made.statusCode, 201, nombre)
    t.equal((await director.post('contracts/', { folio: `B-${made.json().id}`, contraparte: made.json().id })).statusCode, 201)
  }
  const check = async (when: string) => {
    for (const [search, expected] of Object.entries(searches)) {
      const found = (await director.get(`contrapartes/?search=${encodeURIComponent(search)}&page_size=200`)).json().results.map(({ nombre }: { nombre: string }) => nombre)
      t.strictSame(names.filter(name => found.includes(name)), names.filter(name => expected.includes(name)), `${when}: ${search}`)
      const { results } = (await director.get(`contracts/?search=${encodeURIComponent(search)}&page_size=200`)).json()
      const parties = results.map(({ contraparte }: { contraparte: string }) => contraparte)
      t.strictSame(names.filter(name => parties.includes(name)), names.filter(name => expected.includes(name)), `${when}: contracts, ${search}`)
    }
  }
  await check('not indexed')
  await indexCompany(psql, 1)
  await check('indexed')
})

t.test('the spellings of a sign find each other, before and after they are indexed', async (t) => {
  const texts = sameSigns.map((sign, index) => `Losa ${index}, ${sign} = 250`)
  for (const [index, descripcion] of texts.entries()) {
    t.equal((await director.post('contracts/', { folio: `SIGN-${index}`, descripcion })).statusCode, 201)
  }
  // Earlier releases stored invisible characters.
  await psql("update contracts set descripcion = replace(descripcion, 'Losa', E'Lo\\u00adsa\\ufeff') where folio = 'SIGN-1'")
  const check = async (when: string) => {
    for (const sign of sameSigns) {
      const { results } = (await director.get(`contracts/?search=${encodeURIComponent(`losa ${sign}`)}&page_size=200`)).json()
      t.equal(results.filter(({ folio }: { folio: string }) => folio.startsWith('SIGN-')).length, texts.length, `${when}: ${sign}`)
    }
    const found = (await director.get(`contracts/?search=${encodeURIComponent("f'c")}&page_size=200`)).json()
    t.equal(found.count, texts.length, `${when}: no others`)
  }
  await check('not indexed')
  await indexCompany(psql, 1)
  await check('indexed')
})

t.test('servers of the previous release find what they found before', async (t) => {
  // They compare the columns with terms in the form of `search_text`, among the candidates for these terms.
  const found = async (term: string) => (await psql(`
    select p.nombre from contrapartes p where p.company_id = 1 and strpos(p.busqueda, search_text($1)) > 0
      and p.id = any (search.candidates('contrapartes', 1, array[search_text($1)], 1000))`, [term])).map(({ nombre }) => nombre)
  await psql("select set_config('app.companies', '{1}', false)")
  for (const [term, name] of [['s.a.', 'Cementos S.A. de C.V.'], ['c.v.', 'Obras S. de R.L. de C.V.'], ['groß', 'Groß & Söhne'], ['strasse', 'STRASSE'], ['bjør', 'Bjørn'], ['cœur', 'Cœur d’Ægir']]) {
    t.ok((await found(term)).includes(name), term)
  }
})

t.test('the order of names and what counts as the same name stay as they were', async (t) => {
  const names = ['Zorro', 'Ægir', 'aguila', 'Straße', 'Strasse', 'S.A.', 'SA', 'Øst', 'ost']
  const made: number[] = []
  for (const nombre of names) {
    const answer = await director.post('contrapartes/', { nombre: `Ord ${nombre}` })
    t.equal(answer.statusCode, 201, `${nombre} is another name`)
    made.push(answer.json().id)
  }
  const { results } = (await director.get('contrapartes/?search=ord&ordering=nombre&page_size=200')).json()
  const ordered = results.filter(({ id }: { id: number }) => made.includes(id)).map(({ nombre }: { nombre: string }) => nombre)
  t.strictSame(ordered, ordered.toSorted((a: string, b: string) => nameKey(a) < nameKey(b) ? -1 : 1))
  t.equal(ordered.length, names.length)
})
