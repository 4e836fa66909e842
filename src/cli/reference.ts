import type { Command, Option } from 'commander'
import { obraProgram } from './program.ts'

/** The commands with their arguments and options, for docs/reference/command-line.md. Run directly, this file prints them. */
export function commandReference (): string {
  return obraProgram().commands.map(section).join('\n')
}

function section (command: Command): string {
  const help = command.createHelp()
  const rows = [
    ...command.registeredArguments.map(argument => [`<${argument.name()}>`, help.argumentDescription(argument)]),
    ...help.visibleOptions(command).filter(({ long }) => long !== '--help').map((option: Option) => [option.flags, help.optionDescription(option)])
  ]
  const usage = [command.name(), ...command.registeredArguments.map(argument => `<${argument.name()}>`)].join(' ')
  const table = rows.length === 0 ? [] : ['', '| | |', '|---|---|', ...rows.map(([name, text]) => `| \`${name}\` | ${text} |`)]
  return [`### ${usage.replace(/<([^<>]*)>/g, '`<$1>`')}`, '', capital(command.description()), ...table, ''].join('\n')
}

function capital (text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

if (import.meta.main) process.stdout.write(commandReference())
