import { server } from '../../kernel/process.ts'
import type { Kind } from './kinds.ts'
import { inFolder, noPostgres, onEmpty } from '../../kernel/places.ts'
import { mayRunSqlmap, sqlmap } from './sqlmap.ts'

/** Runs sqlmap on every place of every operation. */
export const injections: Kind = {
  name: 'sqlmap',
  about: 'sqlmap on every parameter, field and header, if it is installed',
  async run ({ postgres }, addRow) {
    const why = postgres === undefined ? noPostgres : mayRunSqlmap() ? undefined : 'sqlmap is not installed'
    if (why !== undefined) return addRow({ what: 'sqlmap', why })
    await onEmpty(postgres as string, 'sqlmap', async env => await inFolder(async (folder) => {
      await using subject = await server({ ...folder, env })
      addRow(await sqlmap(subject.origin))
    }))
  }
}
