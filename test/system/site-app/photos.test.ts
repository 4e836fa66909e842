import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { freePort } from '../../support/trial/server.ts'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { demoPlace, startServer } from '../../support/process.ts'
import { tunnel } from '../../support/tunnel.ts'
import { until } from '../../support/until.ts'
import { Phone } from './phone.ts'

/** An image as a camera takes it: it has noise, so that it stays large. */
function cameraImage (seed: number, noise = 80): Buffer {
  const [width, height] = [2000, 1500]
  const header = Buffer.alloc(54)
  header.write('BM')
  header.writeUInt32LE(54 + width * height * 3, 2)
  for (const [position, value] of [[10, 54], [14, 40], [18, width], [22, height]] as const) header.writeUInt32LE(value, position)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(24, 28)
  const pixels = Buffer.alloc(width * height * 3)
  let state = seed
  for (let index = 0; index < pixels.length; index++) {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    const row = Math.floor(index / 3 / width)
    pixels[index] = (index % 3 === 0 ? 90 : index % 3 === 1 ? 130 : 170) * (0.1 + 0.4 * row / height) + ((state >> 16) % noise)
  }
  return Buffer.concat([header, pixels])
}

t.test('photos of an estimate: taken offline, kept over a reload, resumed after a cut of the network and after kill -9 of the server', { skip: withoutBrowser }, async (t) => {
  const place = await demoPlace(t)
  const env = { PORT: String(await freePort()), LOG_LEVEL: 'silent', FILES_QUOTA_MB: '1' }
  const server = await startServer(t, place, env)
  const network = await tunnel(t, server.origin)
  const { origin } = new URL(network.url)
  const phone = await Phone.start(await openBrowser(t), origin, 'coordinador@demo.example')
  const { page } = phone
  await page.setViewportSize({ width: 360, height: 780 })
  await phone.createContract({ folio: 'FOTO-1' })
  await phone.addEstimate('')
  await phone.status(/^Sincronizado · actualizado/)
  await page.locator('.rows li').getByRole('link', { name: 'Mediciones' }).click()
  await page.getByRole('heading', { name: 'Estimación 1' }).waitFor()
  const photos = page.getByRole('list', { name: 'Fotos' }).getByRole('listitem')
  const marks = async () => await photos.locator('.mark').allTextContents()
  const marked = async (...wanted: string[]) => await until(async () => (await marks()).join() === wanted.join())
  const detail = async () => await photos.first().locator('.detail').innerText()

  await phone.setOffline(true)
  await phone.takePhoto(cameraImage(1))
  await marked('por enviar')
  await phone.status(/^Sin conexión · 1 por enviar · 1 foto por enviar/)
  await phone.screenshot('site-app-photo-waiting.png')
  await phone.reload()
  await phone.openContract('FOTO-1')
  await page.locator('.rows li').getByRole('link', { name: 'Mediciones' }).click()
  await marked('por enviar')
  network.holdAfter(350_000)
  await phone.setOffline(false)
  await until(network.isHolding)
  await marked('enviando')
  await until(async () => /^[1-9]\d? % de /.test(await detail()))
  await phone.screenshot('site-app-photo-sending.png')
  await network.cut()
  await marked('por enviar')
  await phone.status(/ · 1 foto por enviar/)
  t.match(await detail(), /^[1-9]\d? % de /)
  const before = network.sent()
  await network.mend()
  await marked('enviada')
  const resumed = network.sent() - before
  await phone.status(/^Sincronizado · actualizado/)

  network.holdAfter(200_000)
  await phone.takePhoto(cameraImage(2))
  await until(network.isHolding)
  server.signal('SIGKILL')
  await server.ended
  await marked('por enviar', 'enviada')
  await startServer(t, place, env)
  await marked('enviada', 'enviada')
  await phone.status(/^Sincronizado · actualizado/)
  await phone.screenshot('site-app-photo-done.png')

  await phone.takePhoto(cameraImage(3, 255))
  await marked('no se envió', 'enviada', 'enviada')
  await phone.status(/^Sincronizado · 1 foto no se envió/)
  t.match(await detail(), /1 MB/)
  await phone.screenshot('site-app-photo-failed.png')
  // The photo is removed after the refusal: the mark is that of before until the app has sent it again.
  const refused = page.waitForResponse(response => response.status() === 413)
  await photos.first().getByRole('button', { name: 'Reintentar' }).click()
  await refused
  await marked('no se envió', 'enviada', 'enviada')
  page.once('dialog', async dialog => await dialog.accept())
  await photos.first().getByRole('button', { name: /^Quitar / }).click()
  await marked('enviada', 'enviada')
  await phone.status(/^Sincronizado · actualizado/)

  const { access: token } = await tokensOf(origin, 'director@demo.example', demoPassword)
  const { body: { results } } = await call(origin, 'GET', 'adjuntos/?ordering=id', { token })
  t.equal(results.length, 2)
  for (const { id, estado, tipo, bytes, sha256, tomada_en: taken } of results) {
    t.match({ estado, tipo, taken }, { estado: 'listo', tipo: 'image/jpeg', taken: /^\d{4}-/ })
    const answer = await fetch(`${origin}/api/v1/adjuntos/${id}/contenido/`, { headers: { authorization: `Bearer ${token}` } })
    const file = Buffer.from(await answer.arrayBuffer())
    t.strictSame([file.length, createHash('sha256').update(file).digest('hex')], [bytes, sha256])
    t.equal((await fileTypeFromBuffer(file))?.mime, 'image/jpeg')
    t.strictSame(sizeOf(file), [1600, 1200])
  }
  t.ok(resumed < results[0].bytes, `${resumed} of ${results[0].bytes} bytes were sent after the cut`)
  // 409: the server can still receive the request of before the cut, and then asks for another offset.
  t.strictSame(phone.faults.filter(fault => !/ (409|413) /.test(fault)), [])
})

/** Width and height of a JPEG file: those of its frame header. */
function sizeOf (file: Buffer): number[] {
  for (let position = 2; position < file.length; position += 2 + file.readUInt16BE(position + 2)) {
    if ([0xc0, 0xc1, 0xc2].includes(file[position + 1])) return [file.readUInt16BE(position + 7), file.readUInt16BE(position + 5)]
  }
  return []
}
