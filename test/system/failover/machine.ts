import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, closeSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Programs of a machine, by name. */
export type Programs = Record<string, { command: string[], env: Record<string, string>, user: string }>

/**
 * A machine of the trial: processes in their own control group. So all of them, with their children, can be killed or frozen at once, and the
 * firewall recognizes their traffic.
 */
export class Machine implements AsyncDisposable {
  readonly name: string
  readonly address: string
  /** The path of the control group below the mounted hierarchy. */
  readonly group: string
  readonly #cgroup: string
  readonly #folder: string
  readonly #programs: Programs
  readonly #children = new Map<string, ChildProcess>()

  /** @param groups folder of the mounted hierarchy of control groups (version 2) @param folder for logs */
  constructor (name: string, address: string, groups: string, folder: string, programs: Programs) {
    this.name = name
    this.address = address
    this.group = `obra-failover-${process.pid}-${name}`
    this.#cgroup = join(groups, this.group)
    this.#folder = folder
    this.#programs = programs
    mkdirSync(this.#cgroup)
  }

  /** Starts all its programs. */
  start (): void {
    for (const name of Object.keys(this.#programs)) this.#launch(name)
  }

  #launch (name: string): void {
    const { command, env, user } = this.#programs[name]
    const log = openSync(join(this.#folder, `${name}.log`), 'a', 0o644)
    // The shell enters the group before it becomes the program.
    const entering = ['-c', 'echo $$ > "$0" && exec "$@"', join(this.#cgroup, 'cgroup.procs'), 'setpriv', '--reuid', user, '--regid', user, '--init-groups', '--', ...command]
    const child = spawn('sh', entering, { cwd: '/', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', ...env }, stdio: ['ignore', log, log] })
    closeSync(log)
    this.#children.set(name, child)
  }

  /** Whether a program runs. */
  runs (name: string): boolean {
    const child = this.#children.get(name)
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** Starts the programs again that have ended, as systemd does. */
  revive (): void {
    for (const name of Object.keys(this.#programs)) if (!this.runs(name)) this.#launch(name)
  }

  /** Ids of its processes. */
  get processes (): number[] {
    return readFileSync(join(this.#cgroup, 'cgroup.procs'), 'utf8').trim().split('\n').filter(Boolean).map(Number)
  }

  /** Suspends all its processes at the same moment. */
  async freeze (): Promise<void> {
    await this.#set('cgroup.freeze', '1', 'frozen 1')
  }

  async thaw (): Promise<void> {
    await this.#set('cgroup.freeze', '0', 'frozen 0')
  }

  /** Kills all its processes by SIGKILL. */
  async kill (): Promise<void> {
    await this.#set('cgroup.kill', '1', 'populated 0')
  }

  async #set (file: string, value: string, event: string): Promise<void> {
    writeFileSync(join(this.#cgroup, file), value)
    for (const late = performance.now() + 10_000; !readFileSync(join(this.#cgroup, 'cgroup.events'), 'utf8').includes(event); await sleep(5)) {
      if (performance.now() > late) throw new Error(`${this.name}: no "${event}"`)
    }
  }

  /** The last lines of a program's log. */
  log (name: string, lines: number): string {
    return readFileSync(join(this.#folder, `${name}.log`), 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    await this.thaw()
    await this.kill()
    for (const child of this.#children.values()) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmdirSync(this.#cgroup)
  }
}
