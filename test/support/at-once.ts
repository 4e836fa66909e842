/** Asks for each at the same moment, which takes less than one after the other. @returns each with its answer, in order */
export async function atOnce<One, Answer> (all: readonly One[], ask: (one: One) => Promise<Answer>): Promise<Array<[One, Answer]>> {
  return await Promise.all(all.map(async (one): Promise<[One, Answer]> => [one, await ask(one)]))
}
