import fc from 'fast-check'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readCfdi, type Cfdi } from '../../../../src/domain/adjuntos/cfdi.ts'
import { ingreso, invoiceWith, relatedTo, sample } from '../../../support/cfdi.ts'

const read: Cfdi = { ...ingreso, uuid: ingreso.uuid.toLowerCase(), tipo: 'I', fecha: '2026-04-02' }

t.test('electronic invoices', async (t) => {
  const path = join(t.testdir(), 'archivo')
  const reading = async (file: Buffer | string) => {
    writeFileSync(path, file)
    return await readCfdi(path)
  }
  const text = sample('ingreso').toString()
  const replaced = (from: string, to: string) => {
    t.ok(text.includes(from), from)
    return text.replaceAll(from, to)
  }

  await t.test('are read: income, credit note, payment receipt', async (t) => {
    t.strictSame(await reading(sample('ingreso')), read)
    t.match(await reading(sample('egreso')), { tipo: 'E', uuid: 'd21ca0c2-3ea4-4885-abe3-f05771737e69', total: '174.00', fecha: '2026-04-03' })
    t.match(await reading(sample('pago')), { tipo: 'P', uuid: '7e1d5e2a-90c4-4f0b-a1b2-0f1e2d3c4b5a', total: '0', moneda: 'XXX' })
    t.match(await reading(sample('obra-publica')), { tipo: 'I', emisor: 'ÑA&030405EF3', total: '1155.00' }, 'ISO-8859-1, beside another complement')
  })

  await t.test('name the invoices that they replace', async (t) => {
    const [a, b] = ['11111111-2222-3333-4444-55555555555A', '11111111-2222-3333-4444-55555555555B']
    const replaced = async (relations: string) => (await reading(invoiceWith({}, relations)))?.sustituye
    t.strictSame(await replaced(relatedTo('04', a, b)), [a.toLowerCase(), b.toLowerCase()])
    t.strictSame(await replaced(relatedTo('07', a) + relatedTo('04', b)), [b.toLowerCase()])
    t.strictSame(await replaced(relatedTo('04', b) + relatedTo('01', a)), [b.toLowerCase()])
    for (const none of [relatedTo('01', a), relatedTo('04'), relatedTo('04', 'x'), `<x xmlns="urn:x">${relatedTo('04', a)}</x>`]) t.equal(await replaced(none), undefined, none)
    t.equal((await replaced(relatedTo('04', ...Array.from({ length: 1000 }, () => a))))?.length, 100)
  })

  await t.test('are read with other prefixes, encodings and spellings', async (t) => {
    const cases: Record<string, Buffer | string> = {
      'a byte order mark': `\ufeff${text}`,
      'no declaration': text.slice(text.indexOf('<cfdi')),
      'other prefixes': replaced('cfdi:', 'x-1:').replaceAll('xmlns:cfdi', 'xmlns:x-1').replaceAll('tfd:', 'timbre:').replaceAll('xmlns:tfd', 'xmlns:timbre'),
      'a default namespace': replaced('cfdi:', '').replaceAll('xmlns:cfdi', 'xmlns'),
      'US-ASCII': Buffer.from(text.normalize('NFD').replace(/[^\x20-\x7e\n]/g, '').replace('UTF-8', 'us-ascii')),
      'ISO-8859-15': Buffer.from(text.replace('UTF-8', 'ISO-8859-15'), 'latin1'),
      'Windows-1252': Buffer.from(text.replace('UTF-8', 'windows-1252'), 'latin1'),
      CRLF: text.replaceAll('\n', '\r\n'),
      'single quotes': text.replaceAll('"', "'"),
      references: replaced('Rfc="CPB', 'Rfc="&#67;&#x50;B'),
      'comments and CDATA': replaced('<cfdi:Complemento>', '<!-- </cfdi:Comprobante> --><cfdi:Complemento><![CDATA[<x>]]>'),
      'two namespaces of one prefix': text.replace('<orden:Compra', '<cfdi:x xmlns:cfdi="urn:x"/><orden:Compra')
    }
    for (const [name, file] of Object.entries(cases)) t.strictSame(await reading(file), read, name)
    t.match(await reading(invoiceWith({ emisor: 'XAXX010101000', total: '1487.700000', moneda: 'USD' })), { emisor: 'XAXX010101000', total: '1487.700000', moneda: 'USD' })
  })

  await t.test('of other kinds and versions are not read, nor is XML that is not a stamped invoice', async (t) => {
    const stamp = /<tfd:[^>]*>/.exec(text)?.[0] ?? ''
    const cases: Record<string, Buffer | string> = {
      'a payroll': sample('nomina'),
      'version 3.3': sample('ingreso-3.3'),
      'another version in the same namespace': replaced('Version="4.0"', 'Version="4.1"'),
      'no stamp': text.replace(stamp, ''),
      'the stamp outside of the complement': text.replace(stamp, '').replace('<orden:Compra', `${stamp}<orden:Compra`),
      'two stamps': text.replace(stamp, stamp + stamp),
      'another root element': `<x>${text.slice(text.indexOf('<cfdi'))}</x>`,
      'another namespace': replaced('http://www.sat.gob.mx/cfd/4', 'http://www.sat.gob.mx/cfd/5'),
      'no prefix and no namespace': replaced('cfdi:', '').replaceAll('tfd:', ''),
      'attributes with a prefix': replaced(' Total="', ' cfdi:Total="'),
      'two issuers': text.replace('<cfdi:Conceptos>', '<cfdi:Emisor Rfc="XAXX010101000"/><cfdi:Conceptos>'),
      'an attribute twice': text.replace(' Total="', ' Total="1.00" Total="'),
      'an open element': text.replace('</cfdi:Comprobante>', ''),
      'text after the end': `${text}x`,
      'an unknown entity': replaced('&amp;', '&acento;'),
      'another encoding': text.replace('UTF-8', 'utf-7'),
      'bytes of another encoding': Buffer.from(text, 'latin1'),
      'a document type': text.replace('?>', '?><!DOCTYPE x [<!ENTITY a "CPB">]>'),
      nothing: '',
      'wrong UUID': invoiceWith({ uuid: '04BF2854' }),
      'wrong RFC': invoiceWith({ emisor: 'CPB011303AB1' }),
      'wrong kind': invoiceWith({ tipo: 'X' }),
      'wrong total': invoiceWith({ total: '-1.00' }),
      'total that is too large': invoiceWith({ total: '1234567890123.00' }),
      'wrong currency': invoiceWith({ moneda: 'mxn' }),
      'wrong date': replaced('Fecha="2026-04-02T', 'Fecha="2026-02-30T')
    }
    for (const [name, file] of Object.entries(cases)) t.equal(await reading(file), undefined, name)
  })

  await t.test('that are hostile end without more memory or time', async (t) => {
    const near = 2 ** 20 - 10_000
    const most = 20 * 2 ** 20
    const inside = (part: string) => text.replace('<orden:Compra', `${part}<orden:Compra`)
    t.strictSame(await reading(inside(`<x a="${'x'.repeat(most)}"/>`)), read, 'a large attribute')
    t.strictSame(await reading(inside('x'.repeat(most))), read, 'a large text')
    t.strictSame(await reading(inside(`<x>${`${'A'.repeat(76)}\r\n`.repeat(91_000)}</x>`)), read, 'a document of 5 MiB in Base64')
    const concept = /<cfdi:Concepto [^]*?<\/cfdi:Concepto>/.exec(text)?.[0] ?? ''
    t.strictSame(await reading(text.replace(concept, concept.repeat(10_000))), read, 'an invoice of 10,000 concepts, with 4 MB')
    t.equal(await reading(inside('<x/>'.repeat(3_100_000))), undefined, 'more tags than an invoice')
    for (const mark of ['&amp;', ']', '\t', '\n', '\r', '-a']) {
      const together = mark.repeat(210_000)
      t.equal(await reading(inside(`<x a="${together}"/>`)), undefined, `an attribute of ${JSON.stringify(mark)}`)
      if (mark.length < 2) t.equal(await reading(inside(`<![CDATA[${together}]]>`)), undefined, `a section of ${JSON.stringify(mark)}`)
    }
    t.equal(await reading(inside(`<?x ${'?'.repeat(210_000)}?>`)), undefined, 'an instruction of question marks')
    t.equal(await reading(inside(`<!-- ${'-a'.repeat(210_000)} -->`)), undefined, 'a comment of hyphens')
    t.equal(await reading(invoiceWith({ moneda: 'M\u0301\u0316'.repeat(100_000) })), undefined, 'a long value of combining marks')
    t.equal(await reading(invoiceWith({ moneda: 'M\u0301\u0316'.repeat(40) })), undefined, 'combining marks')
    t.strictSame(await reading(inside('<x/>'.repeat(near / 4))), read, 'many elements')
    t.equal(await reading(inside('<x>'.repeat(near / 3))), undefined, 'deep elements')
    t.equal(await reading(inside(`${'<x>'.repeat(1000)}${'</x>'.repeat(1000)}`)), undefined, 'deep elements that are closed')
    t.equal(await reading(inside(`<x ${Array.from({ length: 5000 }, (_, n) => `a${n}=""`).join(' ')}/>`)), undefined, 'many attributes')
    t.equal(await reading(inside(`<x ${'a="" '.repeat(near / 5)}`)), undefined, 'an attribute many times')
    t.equal(await reading('<'.repeat(near)), undefined)
    t.equal(await reading(`<!-- ${'-'.repeat(near)}`), undefined)
    t.strictSame(await reading(inside('&amp;'.repeat(90_000))), read, 'many references')
    const proto = inside('').replace('<cfdi:Emisor ', '<cfdi:Emisor __proto__="x" constructor="y" ')
    t.strictSame(await reading(proto), read, 'names of properties')
  })

  await t.test('that are broken anywhere throw nothing, and give no other values than theirs', async (t) => {
    const bytes = sample('ingreso')
    const edit = fc.record({ at: fc.nat(bytes.length - 1), cut: fc.nat(40), put: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('<', '>', '"', '&', '</', '<!--', '<?', ']]>', ' xmlns=""')) })
    await fc.assert(fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
      const broken = edits.reduce((file, { at, cut, put }) => Buffer.concat([file.subarray(0, at), Buffer.from(put), file.subarray(at + cut)]), bytes)
      const found = await reading(broken)
      if (found === undefined) return
      for (const value of Object.values(found)) {
        const plain = broken.toString('latin1').toLowerCase()
        if (!/&/.test(String(value)) && !plain.includes(Buffer.from(value).toString('latin1').toLowerCase())) throw new Error(`${value} is not in the file`)
      }
    }), { numRuns: 1000 })
  })
})
