import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isReplaced } from '../../../src/database/migrations/older.ts'
import { root } from '../../support/process.ts'

const run = promisify(execFile)
const folder = 'src/database/migrations'
const needed = ['src', 'plugins', 'routes', 'package.json', 'package-lock.json', 'mikro-orm.config.ts']

/** A release in a folder. */
export interface Release {
  /** Its short commit; `this` for the working tree. */
  commit: string
  /** Number of its last migration. */
  migration: number
  dir: string
}

/** The release of the working tree. */
export const thisRelease: Release = { commit: 'this', migration: lastOf(readdirSync(join(root, folder))), dir: root }

/** @returns the reason why earlier releases cannot be checked out; undefined if they can */
export function withoutHistory (): string | undefined {
  try {
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(root)) return 'there is no git repository'
    return git('rev-parse', '--is-shallow-repository') === 'true' ? 'the git repository is a shallow clone' : undefined
  } catch {
    return 'there is no git repository'
  }
}

/** The commit of the last release: the last one that set a version without `-dev`. */
export function releaseCommit (): string | undefined {
  const changes = git('log', '--format=%H', '-G^  "version": "[0-9.]+",$', '--', 'package.json').split('\n').filter(Boolean)
  return changes.find(commit => /^\d+\.\d+\.\d+$/.test(JSON.parse(git('show', `${commit}:package.json`)).version))
}

/**
 * The last release if there are later migrations; otherwise the last commit with some of the migrations of the working tree and
 * no others. A rolling upgrade from it is possible.
 */
export function previousCommit (): string {
  const own = readdirSync(join(root, folder))
  const isEarlier = (commit: string) => {
    const all = git('ls-tree', '--name-only', `${commit}:${folder}`).split('\n').filter(file => file.startsWith('migration-'))
    const files = all.filter(file => !isReplaced(file.replace('migration-', '')))
    return lastOf(files) < thisRelease.migration && files.every(file => own.includes(file))
  }
  const commits = [releaseCommit(), 'HEAD', ...git('log', '--format=%H^', '--', folder).split('\n')]
  return commits.find(commit => commit !== undefined && isEarlier(commit)) ?? failed(`no commit has fewer migrations than ${thisRelease.migration}`)
}

/**
 * Checks a release out.
 * @param dir new folder. It uses this `node_modules` if that has all packages of the release in the same versions, and installs them otherwise.
 */
export async function checkOut (commit: string, dir: string): Promise<Release> {
  const short = git('rev-parse', '--short', commit)
  mkdirSync(dir)
  await run('sh', ['-c', 'git archive "$1" -- $3 | tar -x -C "$2"', 'sh', short, dir, needed.join(' ')], { cwd: root })
  if (isInstalled(dir)) symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  else await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: dir })
  return { commit: short, migration: lastOf(readdirSync(join(dir, folder))), dir }
}

/** Whether the packages of the working tree include all packages that a release runs with. */
function isInstalled (dir: string): boolean {
  const [wanted, own] = [dir, root].map(packagesOf) as [Packages, Packages]
  return Object.entries(wanted).every(([path, { version, dev }]) => path === '' || dev === true || own[path]?.version === version)
}

type Packages = Record<string, { version: string, dev?: boolean }>

function packagesOf (dir: string): Packages {
  return (JSON.parse(readFileSync(join(dir, 'package-lock.json'), 'utf8')) as { packages: Packages }).packages
}

function lastOf (files: string[]): number {
  return Math.max(...files.map(file => Number(/^migration-(\d+)-/.exec(file)?.[1] ?? 0)))
}

function failed (message: string): never {
  throw new Error(message)
}

function git (...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
