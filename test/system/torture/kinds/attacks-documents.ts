import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../../support/trial/http.ts'
import { created, opened, raw, repeat } from './attack-requests.ts'
import type { Attack, AttackTarget } from './neighbour-attack.ts'

const authorized = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

/** An authorized estimate. @returns the ids of it and its contract */
async function authorizedEstimate (origin: string, token: string): Promise<{ contract: number, estimate: number }> {
  const contract = await created(origin, token, 'contracts/', { folio: `N-${process.hrtime.bigint()}`, monto: '1000000.00' })
  const estimate = await created(origin, token, 'estimates/', { contract, monto: '100000.00' })
  for (const estado of ['enviada', 'autorizada']) {
    await send(origin, { method: 'PATCH', path: `/api/v1/estimates/${estimate}/`, headers: authorized(token), body: JSON.stringify({ estado }) })
  }
  return { contract, estimate }
}

/** A contract whose statement of account has 2,000 rows, the most that one can have. @returns its id */
async function longAccount ({ origin, tokens: [token] }: AttackTarget): Promise<number> {
  const { contract, estimate } = await authorizedEstimate(origin, token)
  for (const count of [1000, 999]) {
    const items = Array.from({ length: count }, () => ({ estimate, importe: '0.01', fecha: '2026-01-31' }))
    await send(origin, { method: 'POST', path: '/api/v1/pagos/bulk/', headers: authorized(token), body: JSON.stringify({ items }) })
  }
  return contract
}

/** A new contract. Its creation raises the revision, so that the next document is drawn, and not answered from the page cache. */
const newContract = () => ({ folio: `N-${process.hrtime.bigint()}` })

/** A user of another customer gets a cover sheet 30 times, each drawn again, some time after the last one. @returns the times in ms */
async function othersGetSheets ({ origin, others }: AttackTarget): Promise<number[]> {
  const { token } = others[0] as AttackTarget['others'][number]
  const { estimate } = await authorizedEstimate(origin, token)
  const times: number[] = []
  for (let count = 0; count < 30; count++) {
    await created(origin, token, 'contracts/', newContract())
    const start = performance.now()
    const headers = { authorization: `Bearer ${token}`, accept: 'application/pdf' }
    const { status } = await send(origin, { path: `/api/v1/estimates/${estimate}/caratula/`, headers })
    if (status !== 200) throw new Error(`another customer's cover sheet was answered by ${status}`)
    times.push(performance.now() - start)
    await sleep(100)
  }
  // The first one starts the thread.
  return times.slice(1)
}

/** An attachment of 25 MB. @returns its id */
async function largeFile ({ origin, tokens: [token] }: AttackTarget): Promise<number> {
  const contract = await created(origin, token, 'contracts/', { folio: `N-${process.hrtime.bigint()}` })
  const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(25_000_000)])
  const sha256 = createHash('sha256').update(file).digest('hex')
  const id = await created(origin, token, 'adjuntos/', { contract, nombre: 'plano.pdf', tipo: 'application/pdf', bytes: file.length, sha256 })
  await fetch(`${origin}/api/v1/adjuntos/${id}/contenido/`, { method: 'PUT', headers: { ...authorized(token), 'content-type': 'application/pdf' }, body: file })
  return id
}

/** Attacks with reports and files. */
export const documentAttacks: readonly Attack[] = [
  {
    name: 'sheets',
    about: 'statements of account of 2,000 rows as PDF, each after a write, 6 connections',
    lead: 5,
    async run (target, ending) {
      const { origin, tokens: [token] } = target
      const contract = await longAccount(target)
      const statement = { path: `contracts/${contract}/estado-de-cuenta/`, token, headers: { accept: 'application/pdf' } }
      return await repeat(origin, 6, ending, index =>
        index % 2 === 0 ? statement : { path: 'contracts/', token, body: JSON.stringify(newContract()) }, true)
    },
    measured: { name: 'cover sheets', limitMs: 1000, times: othersGetSheets }
  },
  {
    name: 'downloads',
    about: '3,000 downloads of a file of 25 MB that nobody reads',
    lead: 10,
    async run (target, ending) {
      const { origin, tokens: [token] } = target
      const id = await largeFile(target)
      const sockets: Array<Awaited<ReturnType<typeof opened>>> = []
      while (!ending.aborted) {
        for (let count = 0; count < 100 && sockets.length < 3000; count++) {
          const socket = await opened(origin)
          socket.pause()
          socket.write(raw(`adjuntos/${id}/contenido/`, token))
          sockets.push(socket)
        }
        await sleep(50)
      }
      for (const socket of sockets) socket.destroy()
      return sockets.length
    }
  }
]
