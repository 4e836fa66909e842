import { demoPassword } from '../../../src/domain/demo/data.ts'
import { busy, refused } from '../../unit/client/answers.ts'
import type { Phone } from '../../unit/client/sync/phone.ts'
import type { Send } from './history.ts'

/** Sends requests of a user who is always connected. */
export async function connected (origin: string): Promise<Send> {
  const headers = { 'content-type': 'application/json' }
  const login = await fetch(`${origin}/api/v1/api-token-auth/`, { method: 'POST', headers, body: JSON.stringify({ email: 'director@demo.example', password: demoPassword }) })
  const { access } = await login.json() as { access: string }
  return async (method, path, body) => {
    const answer = await fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${access}`, ...body !== undefined && headers }, ...body !== undefined && { body: JSON.stringify(body) } })
    const record = answer.status === 201 ? await answer.json() as { id: number } : undefined
    await answer.body?.cancel().catch(() => {})
    return { status: answer.status, ...record !== undefined && { id: record.id } }
  }
}

/** What happens to a synchronization: answers are lost, requests fail or must be smaller, or the app ends. */
export async function interrupt (one: Phone, random: () => number): Promise<void> {
  const { store, network } = one
  const kind = random()
  network.losesAnswers = kind < 0.25
  network.answer = kind < 0.25
    ? undefined
    : ({ method }) => {
        const many = network.sent.at(-1)?.body?.mutations?.length as number | undefined
        if (kind < 0.5 && many !== undefined && many > 3) return refused(413, 'body_too_large')
        if (kind > 0.75 && random() < 0.3) throw new TypeError('fetch failed')
        return kind > 0.9 && method === 'POST' ? busy() : undefined
      }
  await store.sync().catch(() => {})
  network.losesAnswers = false
  network.answer = undefined
}
