import t, { type Test } from 'tap'
import { DrawingThread } from '../../../../src/domain/reports/drawing-thread.ts'
import { until } from '../../../support/until.ts'
import type { BusyDrawing } from './busy-drawing.ts'

const filename = new URL('busy-drawing.ts', import.meta.url).href
const busy = (waitMs: number, computeMs: number): BusyDrawing => ({ report: 'caratula', waitMs, computeMs })
const errors: unknown[] = []

function threadOf (t: Test, limits: { cpuMs: number, wallMs: number }): DrawingThread<BusyDrawing> {
  const thread = new DrawingThread<BusyDrawing>(filename, limits, error => errors.push(error))
  t.teardown(async () => await thread.end())
  return thread
}

t.test('a drawing that waits for the CPU time of others is not cut, one that takes CPU time is', async (t) => {
  const thread = threadOf(t, { cpuMs: 500, wallMs: 600_000 })
  t.equal(await thread.isRunning(), false, 'without drawings, no thread runs')
  t.equal(Buffer.from(await thread.draw(busy(2000, 0))).toString(), 'drawn')
  for (let count = 0; count < 3; count++) t.equal(Buffer.from(await thread.draw(busy(0, 250))).toString(), 'drawn', 'each drawing has its own time')
  await t.rejects(thread.draw(busy(0, 60_000)), { message: 'a drawing takes too much', key: 'answerTooLong' })
})

t.test('after a cut, a thread starts before the next drawing', async (t) => {
  const thread = threadOf(t, { cpuMs: 300, wallMs: 600_000 })
  await t.rejects(thread.draw(busy(0, 60_000)), { message: 'a drawing takes too much' })
  await until(async () => await thread.isRunning())
  t.equal(Buffer.from(await thread.draw(busy(0, 10))).toString(), 'drawn')
})

t.test('the elapsed time is the last limit', async (t) => {
  const thread = threadOf(t, { cpuMs: 600_000, wallMs: 500 })
  await t.rejects(thread.draw(busy(60_000, 0)), { message: 'a drawing takes too much' })
})

t.test('no thread has failed', (t) => {
  t.strictSame(errors, [])
  t.end()
})
