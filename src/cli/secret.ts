import { readFile, realpath } from 'node:fs/promises'
import { isDeepStrictEqual, parseEnv } from 'node:util'
import type { Command } from 'commander'
import { replaceFile } from '../http/replace-file.ts'
import { newKey, rotateKeptKey } from '../auth/signing-key.ts'
import { CliError, keepOwner, remark, report } from './output.ts'
import { commandConfig } from './with-database.ts'

const afterwards = 'restart every server; 7 days after the last one, no token of the former key is left'

/** `obra rotate-secret`. */
export function addSecretCommand (program: Command): void {
  program.command('rotate-secret')
    .description('make a new key that signs tokens; the one before stays accepted, so that nobody is logged out. A key in use is never printed')
    .option('--env-file <file>', 'rewrite JWT_SECRET and JWT_SECRET_PREVIOUS in this file of variables, leaving its other lines as they are')
    .option(...keepOwner)
    .addHelpText('after', `
Without --env-file: where JWT_SECRET is set, or in production, the new key is printed, to be put where your variables are kept;
else the key in DATA_DIR is replaced.

Examples:
  $ obra rotate-secret --env-file /etc/obra/env
  $ obra rotate-secret`)
    .action(async ({ envFile, keepOwner = false }: { envFile?: string, keepOwner?: boolean }, command: Command) => {
      if (envFile !== undefined) {
        const file = await rotateInFile(envFile, keepOwner)
        report(command, { file }, `${file} has a new JWT_SECRET: ${afterwards}, and JWT_SECRET_PREVIOUS can go`)
        return
      }
      const config = commandConfig()
      if (config.JWT_SECRET !== undefined || config.NODE_ENV === 'production') {
        const key = newKey()
        report(command, { JWT_SECRET: key }, `JWT_SECRET=${key}`)
        remark(command, `set JWT_SECRET_PREVIOUS to what JWT_SECRET is now, and JWT_SECRET to this; ${afterwards}, and JWT_SECRET_PREVIOUS can go`)
        return
      }
      const file = await rotateKeptKey(config.DATA_DIR, keepOwner)
      if (file === undefined) throw new CliError(`there is no key in ${config.DATA_DIR}: the first start makes one`)
      report(command, { file }, `${file} has a new key: ${afterwards}, and ${file}.previous can go`)
    })
}

/** @returns the file's own path @throws {CliError} when the result would not say what it should */
async function rotateInFile (path: string, keepOwner: boolean): Promise<string> {
  const file = await realpath(path)
  // Bytes as characters: whatever encoding the other lines are in, they stay as they are.
  const before = await readFile(file, 'latin1')
  const { JWT_SECRET: former, ...others } = parseEnv(before)
  if (former === undefined || former === '') throw new CliError(`${file} has no JWT_SECRET`)
  const key = newKey()
  const after = rotated(before, key)
  if (!isDeepStrictEqual({ ...parseEnv(after) }, { ...others, JWT_SECRET: key, JWT_SECRET_PREVIOUS: former })) {
    throw new CliError(`JWT_SECRET in ${file} does not stand on one line of its own: nothing was changed`)
  }
  await replaceFile(file, async handle => await handle.writeFile(after, 'latin1'), keepOwner ? file : undefined)
  return file
}

function rotated (text: string, key: string): string {
  return text.replace(/^[ \t]*(?:export[ \t]+)?JWT_SECRET_PREVIOUS[ \t]*=.*(?:\r?\n|$)/gm, '')
    .replace(/^([ \t]*(?:export[ \t]+)?)JWT_SECRET([ \t]*=)(.*?)(\r?)$/m, (_line, start: string, sign: string, value: string, end: string) => `${start}JWT_SECRET${sign}${key}${end}\n${start}JWT_SECRET_PREVIOUS${sign}${value}${end}`)
}
