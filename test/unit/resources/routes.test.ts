import t from 'tap'
import { resources } from '../../../src/domain/resources.ts'
import { build } from '../../support/helper.ts'

t.test('each registered resource has its paths, and each path its own resource', async (t) => {
  const { app } = await build(t)
  const { paths = {} } = await app.openapi() as { paths?: Record<string, Record<string, { summary?: string }>> }
  for (const { name, one, many } of resources) {
    const summaries = (path: string, ...methods: string[]) => methods.map(method => paths[`/api/v1/${name}/${path}`]?.[method]?.summary)
    t.strictSame(summaries('', 'get', 'post'), [`List ${many}`, `Create ${one}`], name)
    t.strictSame(summaries('{id}/', 'get', 'put', 'patch', 'delete'), [`Retrieve ${one}`, `Update ${one}`, `Partially update ${one}`, `Delete ${one}`], name)
    t.strictSame(summaries('bulk/', 'post'), [`Create or update ${many} in bulk`], name)
  }
})
