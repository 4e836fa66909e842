import type { CommanderError } from 'commander'
import t from 'tap'
import { obraProgram } from '../../../src/cli/program.ts'
import { parse } from './parse.ts'

/** Arguments and options that the help of each command lists. */
const commands: Record<string, string[]> = {
  start: ['--workers <n>'],
  migrate: [],
  demo: [],
  'create-customer': ['<nombre>'],
  'create-company': ['<nombre>', '--customer <id>'],
  'create-user': ['<email>', '--nivel <level>', '--company <id>', '--customer <id>', '--nombre <nombre>', '--ask-password', '--password-stdin'],
  'create-superuser': ['<email>', '--nombre <nombre>', '--password-stdin'],
  'set-password': ['<email>', '--ask-password', '--password-stdin'],
  'erase-user': ['<user>', '--yes'],
  'import-users': ['<file>', '--customer <id>', '--company <id>', '--nivel <level>', '--update', '--dry-run'],
  'list-sessions': ['--user <email>', '--company <id>'],
  'revoke-sessions': ['--user <email>', '--session <id>', '--all', '--yes'],
  'rotate-secret': ['--env-file <file>', '--keep-owner'],
  backup: ['<file>', '--keep-owner'],
  restore: ['<file>'],
  export: ['--customer <id>', '--to <folder>', '--no-files'],
  completion: ['<shell>'],
  purge: ['--history-before <day>'],
  seed: ['--companies <n>', '--contracts <n>', '--users <n>', '--tokens <file>', '--yes']
}

t.test('the help lists every command and the exit codes', async (t) => {
  const { out, err, error } = await parse(['--help'])
  t.equal((error as CommanderError).exitCode, 0)
  t.equal(err, '')
  for (const command of Object.keys(commands)) t.match(out, new RegExp(`^ {2}${command}\\b`, 'm'))
  t.match(out, /Exit codes: 0 [^,]+, 1 [^,]+, 2 /)
})

for (const [command, names] of Object.entries(commands)) {
  t.test(`the help of ${command} lists its arguments and options`, async (t) => {
    const { out, err, error } = await parse([command, '--help'])
    t.equal((error as CommanderError).exitCode, 0)
    t.equal(err, '')
    for (const name of [`obra ${command}`, '--json', '--help', ...names]) t.ok(out.includes(name), name)
  })
}

t.test('wrong usage prints one line with the error and one that refers to --help', async (t) => {
  const wrong: Array<[string[], string]> = [
    [['nothing'], "unknown command 'nothing'"],
    [['migrate', '--force'], "unknown option '--force'"],
    [['migrate', 'now'], 'too many arguments'],
    [['create-customer'], "missing required argument 'nombre'"],
    [['create-customer', ' \t '], 'must not be blank'],
    [['create-company', 'Obra'], "required option '--customer <id>' not specified"],
    [['create-company', '', '--customer', '1'], 'must not be blank'],
    ...['0', '-1', '1.5', 'x', '2147483648'].map((id): [string[], string] => [['create-company', 'Obra', `--customer=${id}`], 'must be an id']),
    ...['nobody', 'a b@c.mx', '@', ''].map((email): [string[], string] => [['create-user', email, '--nivel', '6'], 'must be an email address']),
    [['create-user', 'a@b.mx'], "required option '--nivel <level>' not specified"],
    [['create-user', 'a@b.mx', '--nivel', '7'], 'Allowed choices are 1, 2, 3, 4, 5, 6'],
    ...['0', '-1', '1.5', 'x', ''].map((n): [string[], string] => [['start', `--workers=${n}`], 'must be a positive integer']),
    [['purge', '--history-before', '2026-02-30'], 'must have the form YYYY-MM-DD'],
    ...['-1', '1.5', 'x', '100000001'].map((n): [string[], string] => [['seed', `--contracts=${n}`], 'must be an integer from 0 to 100,000,000']),
    ...['1', '2', '3'].map((level): [string[], string] => [['create-user', 'a@b.mx', '--nivel', level], `level ${level} needs --company`]),
    [['create-user', 'a@b.mx', '--nivel', '4'], 'level 4 needs --customer or --company'],
    [['create-user', 'a@b.mx', '--nivel', '6', '--ask-password', '--password-stdin'], 'pass either --ask-password or --password-stdin'],
    [['set-password', 'a@b.mx', '--ask-password', '--password-stdin'], 'pass either --ask-password or --password-stdin'],
    [['revoke-sessions'], 'pass exactly one of --user, --session, --all'],
    [['revoke-sessions', '--all'], 'this logs out all users: pass --yes'],
    [['revoke-sessions', '--session', 'x'], 'x is not a session id'],
    [['seed', '--companies', '0'], 'contracts and users need at least one company'],
    [['seed', '--contracts', '3', '--works', '4'], '--works counts some of the contracts, so it cannot be more than --contracts']
  ]
  for (const [args, reason] of wrong) {
    const { out, err, error } = await parse(args)
    t.match(error, { code: /^commander\./, exitCode: 1 }, args.join(' '))
    t.equal(out, '')
    t.match(err, /^error: [^\n]+\n\(use --help for a list of commands and options\)\n$/)
    t.ok(err.includes(reason), err)
  }
})

t.test('no command takes a secret as an argument, because other users of the machine could read it', async (t) => {
  const all = obraProgram().commands
  const given = all.flatMap(command => [
    ...command.options.filter(({ flags }) => /<(?!file>)/.test(flags)).map(({ flags }) => flags),
    ...command.registeredArguments.map(argument => argument.name())
  ].map(name => `${command.name()} ${name}`))
  t.ok(given.length > 10)
  t.strictSame(given.filter(name => /password|secret|token|key|url/i.test(name.replace(/^\S+/, ''))), [])
})
