import type { Test } from 'tap'
import { createObraClient } from 'obra/client'
import type { ObraClient, Tokens } from 'obra/client'
import { memoryStorage, openStore } from 'obra/client/sync'
import type { Storage, Store, StoreOptions } from 'obra/client/sync'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import type { ListeningServer } from '../server.ts'

/** The network between a phone and the server. */
export interface Network {
  isOnline: boolean
  /** Whether requests reach the server, and their answers are lost. */
  losesAnswers: boolean
  /** Replaces an answer. */
  answer: Replace | undefined
  /** Method, path and body of each request. */
  sent: Array<{ method: string, path: string, body: any }>
  /** The requests without edits, which acknowledge results: up to which number. Such a request is not in `sent`. */
  acknowledged: number[]
  /** Replaces the answer to a request of `acknowledged`. */
  acknowledge: Replace | undefined
}

type Replace = (request: Request) => Response | undefined | Promise<Response | undefined>

export interface Phone {
  obra: ObraClient
  store: Store
  network: Network
}

interface Options extends Pick<StoreOptions, 'resources' | 'contracts' | 'sha256'> {
  email?: string
  storage?: Storage
  tokens?: Tokens
  language?: 'en' | 'es'
}

/** A phone that has synchronized once. */
export async function synced (...given: Parameters<typeof phone>): Promise<Phone> {
  const made = await phone(...given)
  await made.store.sync()
  return made
}

/** A store over a network that the test controls. It closes with the test. */
export async function phone (
  t: Test, { origin }: Pick<ListeningServer, 'origin'>, { email = 'director@demo.example', storage = memoryStorage(), tokens, language, ...selection }: Options = {}
): Promise<Phone> {
  const network: Network = { isOnline: true, losesAnswers: false, answer: undefined, sent: [], acknowledged: [], acknowledge: undefined }
  const obra = createObraClient({
    baseUrl: origin,
    ...tokens === undefined ? { email, password: demoPassword } : { tokens },
    retries: 0,
    ...language !== undefined && { language },
    fetch: async (request, init) => {
      if (!network.isOnline) throw new TypeError('fetch failed')
      const { pathname } = new URL(request.url)
      const { method } = request
      const body: any = method === 'POST' ? await request.clone().json() : undefined
      const isAcknowledgement = body?.mutations?.length === 0
      if (isAcknowledgement) network.acknowledged.push(body.acknowledged)
      else network.sent.push({ method, path: pathname, body })
      const replaced = await network[isAcknowledgement ? 'acknowledge' : 'answer']?.(request)
      if (replaced !== undefined) return replaced
      const answer = await fetch(request, init)
      if (!network.losesAnswers) return answer
      await answer.arrayBuffer()
      throw new TypeError('fetch failed')
    }
  })
  const store = await openStore({ client: obra, storage, ...selection })
  t.teardown(async () => await store.close())
  return { obra, store, network }
}
