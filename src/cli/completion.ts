import { Argument, type Command, type Option } from 'commander'
import { report } from './output.ts'

/**
 * `obra completion`: prints a static script, generated from the commands. Packages for completion start the program at each tab and
 * evaluate the typed text.
 */
export function addCompletionCommand (program: Command): void {
  program.command('completion')
    .description('print a completion script for bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(Object.keys(scripts)))
    .addHelpText('after', `
Examples, for ~/.bashrc, ~/.zshrc and ~/.config/fish/config.fish:
  $ source <(obra completion bash)
  $ source <(obra completion zsh)
  $ obra completion fish | source`)
    .action((shell: keyof typeof scripts, _options, command: Command) => {
      const script = scripts[shell](program)
      report(command, { script }, script.trimEnd())
    })
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** The bash script. It matches the end of the typed line with the words that can follow. */
function bashScript (program: Command): string {
  const { commands } = program
  const afterOption = commands.flatMap(command => optionsOf(command).filter(takesValue).map((option) => {
    return `    '${command.name()} ${option.long}') ${offer(option.argChoices, option.flags)} ;;`
  }))
  const inCommand = commands.map((command) => {
    const [argument] = command.registeredArguments
    const options = optionsOf(command).map(({ long }) => long).join(' ')
    const values = offer(argument?.argChoices, argument?.name() ?? '')
    return `    '${command.name()}') if [[ $cur == -* ]]; then choices='${options}'; else ${values}; fi ;;`
  })
  return `_obra () {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command='' choices='' files='' word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  case "$command $prev" in
${afterOption.join('\n')}
    *) case "$command" in
    '') choices='${[...commands.map(command => command.name()), ...optionsOf(program).map(({ long }) => long)].join(' ')}' ;;
${inCommand.join('\n')}
    esac ;;
  esac
  COMPREPLY=()
  if [[ -n $files ]]; then compopt -o filenames 2> /dev/null; fi
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(
    if [[ -n $files ]]; then compgen -f -- "$cur"
    elif [[ -n $choices ]]; then compgen -W "$choices" -- "$cur"
    fi)
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

/** Bash code that offers the choices of an argument, files, or nothing. */
function offer (choices: readonly string[] | undefined, name: string): string {
  if (choices !== undefined) return `choices='${choices.join(' ')}'`
  return /\bfile\b/.test(name) ? 'files=yes' : ':'
}

/** The zsh script: runs the bash script with `bashcompinit`. */
function zshScript (program: Command): string {
  return `(( $+functions[compdef] )) || { autoload -U +X compinit && compinit -i; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(program)}`
}

/** The fish script: a rule for each command, argument and option, with its description. */
function fishScript (program: Command): string {
  const rule = (when: string, ...parts: string[]) => ['complete -c obra', `-n ${quoted(when)}`, ...parts].join(' ')
  function option (when: string, one: Option): string {
    const short = one.short === undefined ? [] : [`-s ${one.short.slice(1)}`]
    const values = takesValue(one) ? ['-x', ...fishValues(one.argChoices, one.flags)] : []
    return rule(when, `-l ${one.long?.slice(2)}`, ...short, ...values, `-d ${quoted(one.description)}`)
  }
  const rules = program.commands.flatMap((command) => {
    const chosen = `__fish_seen_subcommand_from ${command.name()}`
    const [argument] = command.registeredArguments
    const values = argument === undefined ? [] : fishValues(argument.argChoices, argument.name())
    return [
      rule('__fish_use_subcommand', `-a ${command.name()}`, `-d ${quoted(command.description())}`),
      ...values.length === 0 ? [] : [rule(chosen, ...values)],
      ...command.createHelp().visibleOptions(command).map(one => option(chosen, one))
    ]
  })
  const ofProgram = program.createHelp().visibleOptions(program).filter(({ long }) => long !== '--help')
  return ['complete -c obra -f', ...rules, ...ofProgram.map(one => option('true', one)), ''].join('\n')
}

/** Fish options that offer the choices of an argument, files, or nothing. */
function fishValues (choices: readonly string[] | undefined, name: string): string[] {
  if (choices !== undefined) return [`-a ${quoted(choices.join(' '))}`]
  return /\bfile\b/.test(name) ? ["-a '(__fish_complete_path (commandline -ct))'"] : []
}

function quoted (text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
