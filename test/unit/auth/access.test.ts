import fc from 'fast-check'
import t from 'tap'
import { accountOperations, operations, type Access, type AccountOperation, type Level, type Operation } from '../../../src/auth/access.ts'
import { isAccountOperation, levelIn, may, mayManage } from '../../../src/auth/authority.ts'

t.test('each operation is permitted to the levels in the specification’s table', async (t) => {
  const table: Record<Operation, boolean[]> = {
    read: [true, true, true, true, true, true],
    edit: [false, true, true, true, false, true],
    delete: [false, false, true, true, false, true],
    decide: [false, false, true, true, false, true],
    webhooks: [false, false, true, true, false, true]
  }
  t.strictSame(Object.keys(operations).sort(), Object.keys(table).sort())
  for (const [operation, allowed] of Object.entries(table)) {
    t.strictSame(([1, 2, 3, 4, 5, 6] as Level[]).map(level => may(level, operation as Operation)), allowed, operation)
  }
})

t.test('each operation on accounts is permitted to the account levels in the specification’s table only', async (t) => {
  const table: Record<AccountOperation, boolean[]> = {
    'accounts.read': [false, false, false, true, true, true],
    'accounts.manage': [false, false, false, true, false, true],
    'customers.read': [false, false, false, false, true, true],
    'customers.manage': [false, false, false, false, false, true]
  }
  t.strictSame(Object.keys(accountOperations).sort(), Object.keys(table).sort())
  for (const [operation, allowed] of Object.entries(table)) {
    t.ok(isAccountOperation(operation as Access))
    t.strictSame([1, 2, 3, 4, 5, 6].map(level => mayManage(level, operation as AccountOperation)), allowed, operation)
    t.equal(mayManage(null, operation as AccountOperation), false)
  }
  for (const access of ['read', 'edit', 'delete', 'decide', 'account', 'refresh', 'public', 'toString'] as Access[]) t.equal(isAccountOperation(access), false, access)
})

const customer = fc.constantFrom(1, 2)
const level = fc.record({
  account: fc.constantFrom(null, 4, 5, 6),
  customer: fc.option(customer),
  companyCustomer: customer,
  membership: fc.constantFrom(null, 1, 2, 3)
})

t.test('levels 5 and 6 apply everywhere, level 4 in companies of the user’s own customer, others by membership', async (t) => {
  fc.assert(fc.property(level, (given) => {
    const level = levelIn(given)
    if (given.account === 5 || given.account === 6) return level === given.account
    if (given.account === 4 && given.customer === given.companyCustomer) return level === 4
    return level === given.membership
  }), { numRuns: 500 })
  t.equal(levelIn({ account: 4, customer: null, companyCustomer: 1, membership: null }), null, 'a user without a customer has no level in a customer’s company')
  t.equal(levelIn({ account: null, customer: 1, companyCustomer: 1, membership: null }), null, 'membership of a customer gives no level')
  t.equal(levelIn({ account: 4, customer: 1, companyCustomer: 1, membership: 1 }), 4, 'an account level takes precedence over a membership')
})
