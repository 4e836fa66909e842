import { join } from 'node:path'
import t from 'tap'
import { root } from '../../../support/process.ts'

/** The module of the app, which the server's own types do not include. */
const { amount, read } = await import(join(root, 'docs/examples/site-app/quantities.js')) as {
  amount: (text: string) => string | undefined
  read: (text: string) => bigint | undefined
}

t.test('amounts are read as people type them', async (t) => {
  const million = ['3950000', '3,950,000', '$ 3,950,000', '3 950 000', 'MXN 3,950,000.', '3.950.000']
  for (const text of million) t.equal(amount(text), '3950000', text)
  for (const text of ['1,250.50', '1250,50', '1.250,50', '1250.50']) t.equal(amount(text), '1250.50', text)
  t.strictSame(['1,250', '0,5', '-1', '12,5', '0'].map(amount), ['1250', '0.5', '-1', '12.5', '0'])
  for (const text of ['', 'NaN', '1e6', '1,25,000', '1.234', '1,234.567', '--1', '1-2', '12,3456']) t.equal(amount(text), undefined, text)
})

t.test('quantities too, with up to four places', async (t) => {
  t.strictSame(['2,4', '12.5', '1,250.5', '0,125', '1,250', '-1.5'].map(read), [24000n, 125000n, 12505000n, 1250n, 12500000n, -15000n])
  for (const text of ['mucho', '', '1.23456']) t.equal(read(text), undefined, text)
})
