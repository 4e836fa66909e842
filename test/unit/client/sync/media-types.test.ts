import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { fileTypes, normalizedType, otherNames as clientNames, typeOf } from '../../../../src/client/sync/media-types.ts'
import { typeOf as serviceTypeOf } from '../../../../src/domain/adjuntos/content-type.ts'
import { mimeTypes, otherNames as serviceNames, type FileType } from '../../../../src/domain/adjuntos/types.ts'
import { fileOf } from '../../../support/attaching.ts'
import { None } from '../../../support/none.ts'
import { attachingPhones } from './attaching-phone.ts'

const { phoneOf, contract } = await attachingPhones(t)

let files = 0
/** A file of a type, with its own content. */
function contentOf (type: FileType) {
  const beginning = { 'image/webp': 'RIFF\x28\0\0\0WEBPVP8 ', 'image/heic': '\0\0\0\x18ftypheic\0\0\0\0mif1heic' }[type as string]
  const content = fileOf(type, `media type ${files += 1}`, 2_000)
  return new Uint8Array(beginning === undefined ? content : Buffer.concat([Buffer.from(beginning, 'latin1'), content]))
}

const otherNames: Record<string, FileType> = {
  'image/jpg': 'image/jpeg',
  'IMAGE/JPEG': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/jpeg; charset=binary': 'image/jpeg',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
  'text/xml; charset=utf-8': 'application/xml'
}

t.test('the client knows the media types of the service', async (t) => {
  t.strictSame(fileTypes, mimeTypes)
  t.strictSame(clientNames, serviceNames)
  t.strictSame(Object.keys(otherNames).map(normalizedType), Object.values(otherNames))
  for (const type of ['image/svg+xml', 'text/html', 'image/jpegs', 'constructor', '']) t.equal(normalizedType(type), undefined)
})

t.test('the first bytes of a file of each brand show the same type on both sides', async (t) => {
  const path = join(t.testdir(), 'file')
  const types: Record<string, string> = {}
  const others = ['mif2', 'avif', 'avis', 'jpeg', 'crx ', 'isom', 'mp42', 'qt  ']
  for (const brand of ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevm', 'hevs', 'hevx', 'mif1', 'msf1', ...others]) {
    const content = Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic${'x'.repeat(500)}`, 'latin1')
    await writeFile(path, content)
    const type = await serviceTypeOf(path)
    t.equal(typeOf(content), type, brand)
    if (type !== undefined) types[brand] = type
  }
  const heic = 'image/heic'
  t.strictSame(types, { heic, heix: heic, hevc: heic, hevx: heic, mif1: heic, msf1: heic })
})

t.test('a series of photos in one file is uploaded and taken', async (t) => {
  const { store } = await phoneOf()
  for (const brand of ['hevc', 'msf1']) {
    const content = Buffer.concat([Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`, 'latin1'), fileOf('image/heic', `series ${files += 1}`, 2_000)])
    t.equal((await store.files.add(new File([content], 'burst.heic', { type: '' }), { contract })).tipo, 'image/heic')
  }
  await store.sync()
  t.match([store.refused, store.files.progress.filter(({ state }) => state !== 'done')], [None, None])
})

t.test('a file gets the type that the service knows, and the service takes it', async (t) => {
  const { store } = await phoneOf()
  for (const [name, type] of Object.entries(otherNames)) {
    const content = contentOf(type)
    const named = await store.files.add(new File([content], 'file', { type: name }), { contract })
    t.equal(named.tipo, type, name)
    const given = await store.files.add(contentOf(type), { contract, nombre: 'file', tipo: name })
    t.equal(given.tipo, type, `${name} of the app`)
  }
  await store.sync()
  t.match([store.refused, store.files.progress.filter(({ state }) => state !== 'done')], [None, None])
})

t.test('a file without a type, or with another one, gets it from its bytes', async (t) => {
  const { store } = await phoneOf()
  const shown = fileTypes.filter(type => typeOf(contentOf(type)) !== undefined)
  t.strictSame(fileTypes.filter(type => !shown.includes(type)), ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'])
  for (const type of shown) {
    for (const given of ['', 'application/octet-stream', type === 'image/jpeg' ? 'image/png' : 'image/jpeg']) {
      t.equal((await store.files.add(new File([contentOf(type)], 'file', { type: given }), { contract })).tipo, type, `${given} as ${type}`)
    }
    t.equal((await store.files.add(contentOf(type), { contract, nombre: 'file' })).tipo, type)
  }
  await store.sync()
  t.match([store.refused, store.files.progress.filter(({ state }) => state !== 'done')], [None, None])
})

t.test('a file of a type that the service does not take is refused when it is added', async (t) => {
  const { store } = await phoneOf()
  const svg = new File(['<?xml version="1.0"?><svg/>'], 'plan.svg', { type: 'image/svg+xml' })
  await t.rejects(store.files.add(svg, { contract }), { name: 'TypeError', message: 'files.add: tipo is image/svg+xml. The service takes image/jpeg, image/png, image/webp, image/heic, application/pdf, application/xml, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.' })
  await t.rejects(store.files.add(new File(['text'], 'notes'), { contract }), { name: 'TypeError', message: /^files\.add needs `tipo`: neither the file nor its first bytes show it\. The service takes image\/jpeg/ })
  await t.rejects(store.files.add(new Uint8Array(3), { contract, nombre: 'a', tipo: 7 as unknown as string }), { message: /tipo needs to be a media type/ })
  t.match([store.files.progress, store.status], [None, { pending: 0 }])
})
