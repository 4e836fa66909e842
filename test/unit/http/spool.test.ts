import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { SpoolError } from '../../../src/http/spool.ts'
import { Spool, Spools, type SpoolReason } from '../../../src/http/spool.ts'

const limits = { perText: 100, total: 250 }

/** Resolves with the reason why `work` fails. */
async function reasonOf (work: () => Promise<unknown>): Promise<SpoolReason | undefined> {
  return await work().then(() => undefined, (error: SpoolError) => error.reason)
}

/** A text on a file whose method is replaced. */
async function broken (spools: Spools, method: 'write' | 'truncate' | 'close', replaced: () => Promise<unknown>): Promise<{ spool: Spool, file: FileHandle }> {
  const file = await open('/dev/null', 'r+')
  const proxy = new Proxy(file, { get: (target, name) => name === method ? replaced : Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name) })
  return { spool: new Spool(spools, proxy), file }
}

t.test('a text is read as it was written, and its file has no name', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'obra-spool-'))
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = dir
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    rmSync(dir, { recursive: true })
  })
  const spools = new Spools(limits)
  const spool = await spools.create()
  for (const text of ['descartado', 'más']) await spool.write(text)
  await spool.restart()
  for (const text of ['año ', '', '2026 €']) await spool.write(text)
  t.strictSame(readdirSync(dir), [])
  t.strictSame([spool.bytes, spools.bytes], [13, 13], 'bytes, not characters')
  t.equal(spool.digest(), 'V4Ifi_jlWYYPdtodrYQ-UodLGRc')
  const stream = spool.stream()
  t.equal(Buffer.concat(await Array.fromAsync(stream)).toString(), 'año 2026 €')
  t.equal(spools.bytes, 0)
})

t.test('a text, and all texts together, have limits; bytes are given back', async (t) => {
  const spools = new Spools(limits)
  const [first, second, third] = [await spools.create(), await spools.create(), await spools.create()]
  await first.write('x'.repeat(100))
  t.equal(await reasonOf(async () => await first.write('x')), 'text')
  await second.write('x'.repeat(100))
  await third.write('x'.repeat(50))
  t.equal(await reasonOf(async () => await third.write('x')), 'total')
  t.equal(spools.bytes, 250, 'refused bytes do not count')

  await first.close()
  t.equal(spools.bytes, 150)
  await third.write('x'.repeat(50))
  await second.restart()
  t.equal(spools.bytes, 100)
  const stream = third.stream()
  stream.destroy()
  await once(stream, 'close')
  t.equal(spools.bytes, 0, 'a reader that does not read to the end')
  await second.close()
})

t.test('an error of the operating system ends the write, and closing gives all bytes back', async (t) => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const failing = async () => { throw full }
  for (const [method, replaced] of [['write', failing], ['write', async () => ({ bytesWritten: 0 })], ['truncate', failing]] as const) {
    const spools = new Spools(limits)
    const { spool } = await broken(spools, method, replaced)
    if (method === 'truncate') await spool.write('text')
    t.equal(await reasonOf(async () => method === 'write' ? await spool.write('text') : await spool.restart()), 'system')
    await spool.close()
    t.equal(spools.bytes, 0, method)
  }
  const spools = new Spools(limits)
  const { spool, file } = await broken(spools, 'close', failing)
  await spool.write('text')
  await t.rejects(spool.close(), full)
  t.equal(spools.bytes, 0, 'even if the file cannot be closed')
  await file.close()
})

t.test('the operating system can write less than all bytes', async (t) => {
  const spools = new Spools(limits)
  const written: number[][] = []
  const { spool } = await broken(spools, 'write', async (...[, start, , position]: unknown[]) => {
    written.push([start as number, position as number])
    return { bytesWritten: 2 }
  })
  await spool.write('ab')
  await spool.write('cdef')
  t.strictSame(written, [[0, 0], [0, 2], [2, 4]])
  await spool.close()
})

t.test('the bytes of the process are those of the open texts, after any operations', async () => {
  const step = fc.record({ kind: fc.constantFrom('open', 'write', 'write', 'write', 'restart', 'close', 'send'), which: fc.nat(), size: fc.integer({ min: 0, max: 120 }) })
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
    const spools = new Spools(limits)
    const texts: Array<{ spool: Spool, size: number }> = []
    for (const { kind, which, size } of steps) {
      const total = texts.reduce((sum, text) => sum + text.size, 0)
      const text = texts[which % texts.length]
      if (kind === 'open') texts.push({ spool: await spools.create(), size: 0 })
      else if (text === undefined) continue
      else if (kind === 'write') {
        const reason = text.size + size > limits.perText ? 'text' : total + size > limits.total ? 'total' : undefined
        if (await reasonOf(async () => await text.spool.write('x'.repeat(size))) !== reason) return false
        if (reason === undefined) text.size += size
      } else if (kind === 'restart') {
        await text.spool.restart()
        text.size = 0
      } else {
        if (kind === 'close') await text.spool.close()
        else if (Buffer.concat(await Array.fromAsync(text.spool.stream())).length !== text.size) return false
        texts.splice(texts.indexOf(text), 1)
      }
      if (spools.bytes !== texts.reduce((sum, text) => sum + text.size, 0)) return false
    }
    await Promise.all(texts.map(async ({ spool }) => await spool.close()))
    return spools.bytes === 0
  }), { numRuns: 100 })
})
