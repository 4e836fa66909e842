import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import t from 'tap'
import { attaching, fileOf } from '../../../../../support/attaching.ts'
import { until } from '../../../../../support/until.ts'

t.test('uploads that stop', async (t) => {
  const { app, attach, contract, director, origin, psql } = await attaching(t)
  const of = await contract()
  const reserved = async () => (await psql('select * from uploads')).length

  /** Begins an upload over a socket that stays open in both directions. */
  const sending = (id: number, bytes: number) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port), allowHalfOpen: true })
    let received = ''
    socket.on('data', (part) => { received += String(part) }).on('error', () => {})
    socket.write([
      `PUT /api/v1/adjuntos/${id}/contenido/ HTTP/1.1`, 'Host: x', `Authorization: Bearer ${director.access}`, 'Content-Type: image/jpeg',
      `Content-Length: ${bytes}`, '', ''
    ].join('\r\n'))
    return { socket, received: () => received }
  }

  await t.test('end with an answer if the disk becomes full', async (t) => {
    const file = fileOf('image/jpeg', 'disco lleno', 8_000_000)
    const { id } = await attach(file, { contract: of })
    const any = await open(import.meta.filename)
    const prototype = Object.getPrototypeOf(any) as typeof any
    await any.close()
    const { appendFile } = prototype
    t.teardown(() => { prototype.appendFile = appendFile })
    let written = 0
    prototype.appendFile = async function (this: typeof any, chunk) {
      if ((written += (chunk as Buffer).length) > 1_000_000) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      await appendFile.call(this, chunk)
    }
    const { socket, received } = sending(id, file.length)
    t.teardown(() => socket.destroy())
    await new Promise(resolve => socket.write(file, resolve))
    await until(() => received().includes('\r\n\r\n{'))
    t.match(received(), /^HTTP\/1\.1 503 [^]*\r\nretry-after: 60\r\n/)
    t.equal(await reserved(), 0)
  })

  await t.test('end if the client goes on after a 408', async (t) => {
    const { headersTimeout, requestTimeout } = app.server
    Object.assign(app.server, { headersTimeout: 1000, requestTimeout: 1500 })
    t.teardown(() => { Object.assign(app.server, { headersTimeout, requestTimeout }) })
    const file = fileOf('image/jpeg', 'lenta', 10_000)
    const { id } = await attach(file, { contract: of })
    const { socket, received } = sending(id, file.length)
    let sent = 0
    const trickle = setInterval(() => socket.write(file.subarray(sent, ++sent)), 100)
    t.teardown(() => {
      clearInterval(trickle)
      socket.destroy()
    })
    await until(async () => await reserved() === 1)
    await until(() => received().startsWith('HTTP/1.1 408 '))
    await until(async () => await reserved() === 0)
    t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente' })
  })
})
