import t from 'tap'
import { startDelivering } from './delivering.ts'

t.test('a shutdown waits for the delivery in progress', async (t) => {
  const { app, receiver, contract, psql } = await startDelivering(t)
  let answered = () => {}
  receiver.answer = async () => await new Promise((resolve) => { answered = () => resolve({}) })
  await contract('W-1')
  await receiver.nth(0)
  const [before] = await psql('select revision from webhook_cursors') as [{ revision: number }]
  // The database closes with the server.
  app.addHook('onClose', async () => {
    const [after] = await psql('select revision, lease from webhook_cursors') as [{ revision: number, lease: string | null }]
    t.strictSame([after.revision > before.revision, after.lease], [true, null], 'its result is stored, and its lease returned')
  })
  const closed = app.close()
  answered()
  await closed
})
