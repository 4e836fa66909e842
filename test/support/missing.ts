/**
 * The reason to skip tests that need a program or a server, or false. CI has all of them, so there a missing one is an error.
 * @param why what is missing; false if nothing is
 * @throws {Error} in CI, if something is missing
 */
export function passedOver (why: string | false): string | false {
  if (why !== false && process.env['CI'] === 'true') throw new Error(why)
  return why
}
