/**
 * Why tests that need a program or a server are passed over here, or false. CI has all of them, so there it is a failure.
 * @param why what is missing, or false
 * @throws {Error} in CI, with what is missing
 */
export function passedOver (why: string | false): string | false {
  if (why !== false && process.env['CI'] === 'true') throw new Error(why)
  return why
}
