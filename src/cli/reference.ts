import type { Command, Option } from 'commander'
import { obraProgram } from './program.ts'

/** The commands with their options, for docs/reference/command-line.md. Run directly, this file prints them. */
export function commandReference (): string {
  const { commands } = obraProgram()
  const uses = commands.flatMap(command => optionsOf(command).map(option => ({ command, line: optionLine(option) })))
  const shared = [...Map.groupBy(uses, ({ line }) => line)].filter(([, uses]) => uses.length > 1)
  const sections = commands.map(command => section(command, shared.map(([line]) => line)))
  const lines = shared.map(([line, uses]) => `${line} (${uses.map(({ command }) => `\`${command.name()}\``).join(', ')})`)
  return [...sections, ['Options of several commands. The brackets name the commands:', '', ...lines].join('\n')].join('\n\n')
}

/** @param shared lines of options of several commands: the usage lists these options */
function section (command: Command, shared: string[]): string {
  const options = optionsOf(command)
  const common = options.filter(option => shared.includes(optionLine(option)))
  const own = options.filter(option => !common.includes(option)).map(optionLine)
  const parameters = command.registeredArguments.map(argument => `<${argument.name()}>`)
  const usage = [command.name(), ...parameters, ...common.map(({ flags, mandatory }) => mandatory ? flags : `[${flags}]`)].join(' ')
  return [`**\`${usage}\`** ${capital(command.description())}`, ...own.length === 0 ? [] : ['', ...own]].join('\n')
}

function optionsOf (command: Command): Option[] {
  return command.createHelp().visibleOptions(command).filter(({ long }) => long !== '--help')
}

function optionLine ({ flags, description, defaultValue }: Option): string {
  return `- \`${flags}\`: ${description}${defaultValue === undefined || defaultValue === '' ? '' : ` (default: ${defaultValue})`}`
}

function capital (text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

if (import.meta.main) process.stdout.write(`${commandReference()}\n`)
