import { text } from 'node:stream/consumers'
import { NewPassword } from '../resources/declaration/schemas.ts'
import { CliError } from './output.ts'

/** The option of commands with a password. Other users could read an argument in the list of processes. */
export const passwordStdin = ['--password-stdin', 'read the password from standard input instead'] as const

/** The option of commands that would otherwise generate a password. */
export const askPassword = ['--ask-password', 'ask for the password on the terminal instead of generating one'] as const

/** Where the password of a command comes from. */
export interface PasswordOptions {
  askPassword?: boolean
  passwordStdin?: boolean
}

/** Reads a password from standard input. @throws {CliError} if the API would refuse it */
export async function passwordFromStdin (): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const fault = faultOf(password)
  if (fault !== undefined) throw new CliError(fault)
  return password
}

/** Asks twice for a password on the terminal, without echo. @throws {CliError} without a terminal */
export async function askedPassword (): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new CliError('no terminal to ask for the password: use --password-stdin')
  const { default: ask } = await import('@inquirer/password')
  const password = await ask({ message: 'Password:', validate: given => faultOf(given) ?? true }, { output: process.stderr })
  const again = await ask({ message: 'Repeat password:' }, { output: process.stderr })
  if (again !== password) throw new CliError('the two passwords differ')
  return password
}

/** The API's problem with a new password, if any. */
function faultOf (password: string): string | undefined {
  const length = [...password].length
  const { minLength = 0, maxLength = Infinity } = NewPassword
  if (length < minLength) return `the password must have at least ${minLength} characters`
  if (length > maxLength) return `the password must have at most ${maxLength} characters`
  return undefined
}
