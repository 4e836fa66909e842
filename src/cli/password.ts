import { text } from 'node:stream/consumers'
import { NewPassword } from '../resources/declaration/schemas.ts'
import { CliError } from './output.ts'

/** The option of every command that takes a password: an argument could be read by everybody who lists processes. */
export const passwordStdin = ['--password-stdin', 'read the password from standard input instead'] as const

/** A password from standard input. @throws {CliError} when the API would not take it either */
export async function passwordFromStdin (): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const fault = faultOf(password)
  if (fault !== undefined) throw new CliError(fault)
  return password
}

/** A password that is asked for twice on the terminal, which shows nothing of it. @throws {CliError} without a terminal */
export async function askedPassword (): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new CliError('no terminal to ask for the password: use --password-stdin')
  const { default: ask } = await import('@inquirer/password')
  const password = await ask({ message: 'Password:', validate: given => faultOf(given) ?? true }, { output: process.stderr })
  const again = await ask({ message: 'Repeat password:' }, { output: process.stderr })
  if (again !== password) throw new CliError('the two passwords differ')
  return password
}

/** What is wrong with a new password by the API's rule. */
function faultOf (password: string): string | undefined {
  const length = [...password].length
  const { minLength = 0, maxLength = Infinity } = NewPassword
  if (length < minLength) return `the password must have at least ${minLength} characters`
  if (length > maxLength) return `the password must have at most ${maxLength} characters`
  return undefined
}
