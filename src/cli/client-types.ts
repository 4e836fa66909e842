import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { describeService } from '../server/openapi/service.ts'

/** Generates the text of `src/client/api.d.ts` from the OpenAPI document. */
export async function clientTypes (): Promise<string> {
  const ast = await openapiTypescript(JSON.stringify(await describeService()))
  return `// Generated from the OpenAPI document by openapi-typescript: npm run client:types\n\n${astToString(ast)}`
}

if (import.meta.main) await writeFile(join(import.meta.dirname, '../client/api.d.ts'), await clientTypes())
