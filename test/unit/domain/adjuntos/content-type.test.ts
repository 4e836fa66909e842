import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import t from 'tap'
import { typeOf } from '../../../../src/domain/adjuntos/content-type.ts'
import { fileOf } from '../../../support/attaching.ts'

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A ZIP file of entries without compression. */
function zip (entries: Record<string, string>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const offset = Buffer.alloc(4)
    offset.writeUInt32LE(Buffer.concat(parts).length)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), content)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(10), offset, Buffer.from(name))
  }
  const [before, list] = [Buffer.concat(parts), Buffer.concat(directory)]
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(entries).length, 8)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(before.length, 16)
  return Buffer.concat([before, list, end])
}

const contentTypes = (main: string) => `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${main}"/></Types>`

const box = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic${'x'.repeat(200)}`, 'latin1')
const cfdi = '<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Total="1.00"/>'

t.test('the content of a file has its media type', async (t) => {
  const path = join(t.testdir(), 'archivo')
  const files: Array<[name: string, file: Buffer | string, type?: string]> = [
    ['JPEG', fileOf('image/jpeg', 'x'), 'image/jpeg'],
    ['PNG', fileOf('image/png', 'x'), 'image/png'],
    ['WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
    ['HEIC', box('heic'), 'image/heic'],
    ['HEIC of another brand', box('mif1'), 'image/heic'],
    ['PDF', fileOf('application/pdf', 'x'), 'application/pdf'],
    ['CFDI', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- factura -->\n${cfdi}`, 'application/xml'],
    ['CFDI with a byte order mark', `\ufeff<?xml version="1.0" encoding="utf-8"?>${cfdi}`, 'application/xml'],
    ['XML without a declaration', cfdi, 'application/xml'],
    ['XLSX', zip({ '[Content_Types].xml': contentTypes('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'), 'xl/workbook.xml': '<workbook/>' }), sheet],
    ['XLSM', zip({ '[Content_Types].xml': contentTypes('application/vnd.ms-excel.sheet.macroEnabled.main+xml'), 'xl/workbook.xml': '<workbook/>' })],
    ['DOCX', zip({ '[Content_Types].xml': contentTypes('application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'), 'word/document.xml': '<document/>' })],
    ['ZIP', zip({ 'xl.txt': 'nothing' })],
    ['beginning of a ZIP', Buffer.from('PK\x03\x04 xl/workbook.xml', 'latin1')],
    ['text', 'hola'],
    ['HTML', '<!DOCTYPE html><html><script>alert(1)</script></html>'],
    ['HTML without a document type', '<html><script>alert(1)</script></html>'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['XHTML with a prefix', '<h:HTML xmlns:h="http://www.w3.org/1999/xhtml"/>'],
    ['XHTML under another root', '<datos xmlns:h="http://www.w3.org/1999/xhtml"><h:script/></datos>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['SVG after comments', `<?xml version="1.0"?>${'<!-- x -->'.repeat(100)}<svg xmlns="http://www.w3.org/2000/svg"/>`],
    ['XML with a document type', `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>${cfdi}`],
    ['XML in UTF-7', `<?xml version="1.0" encoding="utf-7"?>${cfdi}`],
    ['XML in UTF-16', Buffer.from(`\ufeff<?xml version="1.0"?>${cfdi}`, 'utf16le')],
    ['XML whose root begins too late', `<!-- ${'x'.repeat(70_000)} -->${cfdi}`],
    ['an open tag', '<cfdi:Comprobante '],
    ['CFDI with references in values', '<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" Condiciones="Contado &amp; 30 d&#237;as" Nombre="&#193;vila"/>', 'application/xml'],
    ['SVG at the end of a long file', `<datos>${' '.repeat(200_000)}<s:script xmlns:s="http://www.w3.org/2000/svg"/></datos>`],
    ...[65_536, 131_072].flatMap(end => [-40, -20, -1].map(from => [
      `XHTML at ${end} bytes and ${from}`, `<datos>${' '.repeat(end + from - 7)}<h:script xmlns:h="http://www.w3.org/1999/xhtml"/></datos>`
    ] as [string, string])),
    ['XHTML after > in a value', '<h:body a=">" xmlns:h="http://www.w3.org/1999/xhtml"><h:script>alert(1)</h:script></h:body>'],
    ['XHTML with references', '<h:body xmlns:h="http://www.w3.org/1999/&#x78;h&#0116;ml"/>'],
    ['XHTML with a long reference', `<h:body xmlns:h="http://&#${'0'.repeat(200_000)}119;ww.w3.org/1999/xhtml"/>`],
    ['SVG after a comment of five characters', '<!--><x> --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['XML with a style sheet', '<?xml-stylesheet type="text/xsl" href="#x"?><x/>'],
    ['XML and HEIC', `<aaaftypheic b="1">${'x'.repeat(100)}</aaaftypheic>`, 'image/heic'],
    ['a GIF', 'GIF89a'],
    ['one byte', 'x']
  ]
  for (const [name, file, type] of files) {
    writeFileSync(path, file)
    t.equal(await typeOf(path), type, name)
  }
})

t.test('a large file is recognized in a short time', async (t) => {
  const path = join(t.testdir(), 'archivo')
  writeFileSync(path, zip(Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`${n}`, '']))))
  t.equal(await typeOf(path), undefined)
  writeFileSync(path, '<'.repeat(25 * 2 ** 20))
  t.equal(await typeOf(path), undefined)
  for (const part of ['&#', '&#0', '<!', '<?xml-', 'www.w3.org/']) {
    writeFileSync(path, `<x>${part.repeat(25 * 2 ** 20 / part.length)}`)
    t.equal(await typeOf(path), 'application/xml', part)
  }
  writeFileSync(path, `<?xml ${'encoding '.repeat(7000)}`)
  t.equal(await typeOf(path), undefined)
})
