import type { TestDatabase } from './helper.ts'

/**
 * Adds the changes of a company, and of later ones, to the search index.
 * @param most changes per batch
 * @param batches maximum number of batches
 */
export async function indexCompany (psql: TestDatabase['psql'], company: number, most = 1000, batches = Infinity): Promise<void> {
  for (let n = 0; n < batches; n++) {
    const [row] = await psql('select indexed from search.index_changes($1, 0, $2)', [company - 1, most])
    if (row?.['indexed'] !== true) return
  }
}
