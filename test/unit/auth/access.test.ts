import fc from 'fast-check'
import t from 'tap'
import { levelIn } from '../../../src/auth/authority.ts'

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
