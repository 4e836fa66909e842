/** Calls `ask` for all items concurrently, which is faster than one by one. @returns pairs of an item and its answer, in order */
export async function atOnce<One, Answer> (all: readonly One[], ask: (one: One) => Promise<Answer>): Promise<Array<[One, Answer]>> {
  return await Promise.all(all.map(async (one): Promise<[One, Answer]> => [one, await ask(one)]))
}
