import { Argument, type Command, type Option } from 'commander'
import { report } from './output.ts'

/**
 * `obra completion`: a script made from the commands that there are. The packages that make such scripts start the program at each tab, and
 * evaluate what has been typed so far to do so.
 */
export function addCompletionCommand (program: Command): void {
  program.command('completion')
    .description('print a script that has the shell complete commands, options, their choices and files')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash']))
    .addHelpText('after', '\nExample, for ~/.bashrc:\n  $ source <(obra completion bash)')
    .action((_shell: string, _options, command: Command) => { report(command, { script: bashScript(program) }, bashScript(program).trimEnd()) })
}

/** The end of a line typed so far, as bash hands it over, against what may stand there. */
function bashScript (program: Command): string {
  const { commands } = program
  const afterOption = commands.flatMap(command => optionsOf(command).filter(takesValue).map(option => `    '${command.name()} ${option.long}') ${offer(option.argChoices, option.flags)} ;;`))
  const inCommand = commands.map((command) => {
    const [argument] = command.registeredArguments
    const options = optionsOf(command).map(({ long }) => long).join(' ')
    return `    '${command.name()}') if [[ $cur == -* ]]; then words='${options}'; else ${offer(argument?.argChoices, argument?.name() ?? '')}; fi ;;`
  })
  return `_obra () {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command='' words='' files='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  case "$command $prev" in
${afterOption.join('\n')}
    *) case "$command" in
    '') words='${[...commands.map(command => command.name()), ...optionsOf(program).map(({ long }) => long)].join(' ')}' ;;
${inCommand.join('\n')}
    esac ;;
  esac
  COMPREPLY=()
  if [[ -n $words ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"); fi
  if [[ -n $files ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -F _obra obra
`
}

function optionsOf (command: Command): Option[] {
  const help = command.createHelp()
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
}

function takesValue (option: Option): boolean {
  return option.required || option.optional
}

/** The bash that offers choices, or the files of an argument that is named so, or nothing. */
function offer (choices: readonly string[] | undefined, name: string): string {
  if (choices !== undefined) return `words='${choices.join(' ')}'`
  return /\bfile\b/.test(name) ? 'files=yes' : ':'
}
