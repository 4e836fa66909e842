import { readFile, realpath } from 'node:fs/promises'
import { isDeepStrictEqual, parseEnv } from 'node:util'
import type { Command } from 'commander'
import { replaceFile } from '../http/replace-file.ts'
import { newKey, rotateKeptKey } from '../auth/signing-key.ts'
import { loadConfig } from '../config.ts'
import { CliError, keepOwner, remark, report } from './output.ts'

const afterwards = 'restart every server; 7 days after the last restart, no token of the previous key is valid'

/** `obra rotate-secret`. */
export function addSecretCommand (program: Command): void {
  program.command('rotate-secret')
    .description('create a new signing key; the previous key stays valid')
    .option('--env-file <file>', 'rewrite JWT_SECRET and JWT_SECRET_PREVIOUS in this env file')
    .option(...keepOwner)
    .addHelpText('after', `
Without --env-file, the command prints the new key if JWT_SECRET is set or NODE_ENV is production; store it with your
variables. Otherwise it replaces the key in DATA_DIR. A key in use is never printed.

Examples:
  $ obra rotate-secret --env-file /etc/obra/env
  $ obra rotate-secret`)
    .action(async ({ envFile, keepOwner = false }: { envFile?: string, keepOwner?: boolean }, command: Command) => {
      if (envFile !== undefined) {
        const file = await rotateInFile(envFile, keepOwner)
        report(command, { file }, `${file} has a new JWT_SECRET: ${afterwards}, and you can remove JWT_SECRET_PREVIOUS`)
        return
      }
      const config = loadConfig(process.env, 'tool')
      if (config.JWT_SECRET !== undefined || config.NODE_ENV === 'production') {
        const key = newKey()
        report(command, { JWT_SECRET: key }, `JWT_SECRET=${key}`)
        const now = 'set JWT_SECRET_PREVIOUS to the present JWT_SECRET, and JWT_SECRET to this key'
        remark(command, `${now}; ${afterwards}, and you can remove JWT_SECRET_PREVIOUS`)
        return
      }
      const file = await rotateKeptKey(config.DATA_DIR, keepOwner)
      if (file === undefined) throw new CliError(`${config.DATA_DIR} has no signing key: the first start creates one`)
      report(command, { file }, `${file} has a new key: ${afterwards}, and you can remove ${file}.previous`)
    })
}

/** @returns the real path of the file @throws {CliError} if the new file would not parse as intended */
async function rotateInFile (path: string, keepOwner: boolean): Promise<string> {
  const file = await realpath(path)
  // latin1 keeps the bytes of other lines, in any encoding.
  const before = await readFile(file, 'latin1')
  const { JWT_SECRET: former, ...others } = parseEnv(before)
  if (former === undefined || former === '') throw new CliError(`${file} has no JWT_SECRET`)
  const key = newKey()
  const after = rotated(before, key)
  if (!isDeepStrictEqual({ ...parseEnv(after) }, { ...others, JWT_SECRET: key, JWT_SECRET_PREVIOUS: former })) {
    throw new CliError(`JWT_SECRET in ${file} is not on a line of its own: nothing was changed`)
  }
  await replaceFile(file, async handle => await handle.writeFile(after, 'latin1'), keepOwner ? file : undefined)
  return file
}

const previousLine = /^[ \t]*(?:export[ \t]+)?JWT_SECRET_PREVIOUS[ \t]*=.*(?:\r?\n|$)/gm
const keyLine = /^([ \t]*(?:export[ \t]+)?)JWT_SECRET([ \t]*=)(.*?)(\r?)$/m

function rotated (text: string, key: string): string {
  return text.replace(previousLine, '').replace(keyLine, (_line, start: string, sign: string, value: string, end: string) => {
    return `${start}JWT_SECRET${sign}${key}${end}\n${start}JWT_SECRET_PREVIOUS${sign}${value}${end}`
  })
}
