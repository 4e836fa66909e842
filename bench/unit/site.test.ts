import t from 'tap'
import { addLines, amountOf, decimal, type SiteEstimate } from '../site/contract.ts'
import { sharesOf } from '../site/phase.ts'

t.test('the amount of an estimate is the sum of its lines, also of several lines of one concept', async (t) => {
  const prices = new Map([[7, 1999], [8, 5]])
  const estimate: SiteEstimate = { id: 1, quantities: new Map(), lines: 0 }
  t.equal(decimal(amountOf(estimate, prices)), '0.00')
  addLines(estimate, [{ concepto: 7, quantity: 2 }, { concepto: 8, quantity: 1 }])
  addLines(estimate, [{ concepto: 7, quantity: 1 }])
  t.match(estimate, { lines: 3, quantities: new Map([[7, 3], [8, 1]]) })
  t.equal(decimal(amountOf(estimate, prices)), '60.02')
})

t.test('the control takes the CPU time by which the loaded phase is above the other one', async (t) => {
  const alone = { server: 0.25, clients: 0.125, rest: 0.5 }
  t.strictSame(sharesOf({ server: 0.75, clients: 0.25, rest: 0.25 }, alone), [0.5, 0.125, 0])
})
