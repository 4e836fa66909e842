import type { Random } from '../../support/trial/random.ts'
import type { Answer, Sender } from './sender.ts'

const tus = { 'tus-resumable': '1.0.0' }

const contentOf = (id: number) => `adjuntos/${id}/contenido/`

/** Sends a file whole, sometimes twice at once, until the answer is certain. */
export async function sendWhole (sender: Sender, id: number, file: Buffer, random: Random): Promise<Answer> {
  const request = { method: 'PUT', path: contentOf(id), headers: { 'content-type': 'application/octet-stream' }, content: file }
  const other = random() < 0.08 ? sender.once(request) : undefined
  const answer = await sender.certain(request)
  await other
  return answer
}

/**
 * Sends a file in parts of random length, each from where the server has it. Sometimes a part is sent twice at once.
 * @returns the last answer: of the HEAD that has all bytes, or of a part that is refused for the whole file
 */
export async function sendParts (sender: Sender, id: number, file: Buffer, random: Random): Promise<Answer> {
  for (;;) {
    const head = await sender.certain({ method: 'HEAD', path: contentOf(id), headers: tus })
    const offset = Number(head.headers['upload-offset'])
    if (head.status !== 200 || offset === file.length) return head
    const part = file.subarray(offset, offset + 1 + Math.floor(random() * 150_000))
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    const request = { method: 'PATCH', path: contentOf(id), headers, content: part }
    const [answer] = await Promise.all([sender.once(request), random() < 0.08 ? sender.once(request) : undefined])
    if (answer === undefined || await sender.isPassing(answer, request)) await sender.rest()
    // 409 is another offset.
    else if (![204, 409].includes(answer.status)) return answer
  }
}
