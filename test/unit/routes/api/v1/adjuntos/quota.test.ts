import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { attaching, fileOf } from '../../../../../support/attaching.ts'
import { partHeaders } from '../../../../../support/tus.ts'

t.test('parts of equal bytes count against the quota, whatever their media type, until one file is complete', async (t) => {
  const { attach, contract, content, folder, put, stored } = await attaching(t, { FILES_QUOTA_MB: 3 })
  const of = await contract()
  const file = fileOf('image/jpeg', 'conocida', 900_000)
  const ids: number[] = []
  for (let n = 0; n < 6; n++) ids.push((await attach(file, { contract: of, tipo: n % 2 === 0 ? 'application/pdf' : 'image/jpeg' }))['id'])
  const part = new Uint8Array(file.subarray(0, 800_000))
  const answers = await Promise.all(ids.map(async id => await content(id, { method: 'PATCH', body: part, headers: partHeaders(0) })))
  t.strictSame(answers.map(({ status }) => status).sort(), [204, 204, 204, 413, 413, 413])
  for (const answer of answers) if (answer.status === 413) t.match(await answer.json(), { code: 'quota_exceeded' })
  const bytes = stored().reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
  t.ok(bytes <= 3_000_000, String(bytes))
  const [received = 0] = ids.filter((_, index) => answers[index]?.status === 204)
  t.equal((await put(received, file)).status, 200)
  t.match(await attach(file, { contract: of, tipo: 'application/pdf' }), { estado: 'listo', tipo: 'image/jpeg' }, 'its bytes count once from now on')
})
