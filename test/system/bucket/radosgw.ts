import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../support/trial/server.ts'
import { credentials } from '../../support/bucket.ts'
import { until } from '../../support/until.ts'

const runFile = promisify(execFile)

/** The programs of Ceph. On Debian: `apt-get install --no-install-recommends ceph-mon ceph-osd ceph-mgr radosgw`. */
const programs = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']

/** Why Ceph cannot run here; false if it can. */
export function withoutCeph (): string | false {
  const missing = programs.filter(program => spawnSync('which', [program]).status !== 0)
  return missing.length > 0 && `Ceph is not installed: there is no ${missing.join(', ')}`
}

/** An S3 service of Ceph on one machine, whose objects are in memory. */
export interface Ceph extends AsyncDisposable {
  origin: string
  /** Sends a signal to the gateway. */
  signal: (signal: NodeJS.Signals) => void
}

/** How long a command may take, in ms. */
const patience = 60_000

/** Starts a monitor, one storage daemon with memory as its disk, and the gateway. */
export async function startCeph (): Promise<Ceph> {
  const dir = mkdtempSync(join(tmpdir(), 'obra-ceph-'))
  const [monitor, port] = [await freePort(), await freePort()]
  const fsid = randomUUID()
  const conf = join(dir, 'ceph.conf')
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(dir, name))
  writeFileSync(conf, `
[global]
fsid = ${fsid}
mon_host = [v2:127.0.0.1:${monitor}/0]
ms_bind_msgr1 = false
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
keyring = ${dir}/keyring
run_dir = ${dir}
log_file = ${dir}/$name.log
mon_cluster_log_file = ${dir}/cluster.log
admin_socket = ${dir}/$name.asok
mon_data = ${dir}/mon
mon_data_avail_crit = 1
osd_data = ${dir}/osd
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_class_load_list = *
osd_class_default_list = *
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
[client.rgw]
rgw_data = ${dir}/rgw
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_enable_usage_log = false
`)
  const command = async (program: string, args: string[]) => (await runFile(program, ['-c', conf, ...args], { timeout: patience })).stdout
  const running: ChildProcess[] = []
  process.once('exit', () => { for (const child of running) child.kill('SIGKILL') })
  const start = (program: string, args: string[]) => {
    const child = spawn(program, ['-c', conf, '-f', ...args], { stdio: 'ignore' })
    running.push(child)
    return child
  }
  const stop = async () => {
    for (const child of running.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const [map, keyring] = [join(dir, 'monmap'), join(dir, 'keyring')]
    await runFile('ceph-authtool', ['--create-keyring', keyring])
    for (const name of ['mon.', 'client.admin', 'osd.0', 'client.rgw']) {
      await runFile('ceph-authtool', [keyring, '--gen-key', '-n', name, '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'])
    }
    await runFile('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, map])
    await command('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring])
    start('ceph-mon', ['-i', 'a'])
    const uuid = randomUUID()
    await command('ceph', ['--connect-timeout', '30', 'osd', 'new', uuid])
    await command('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', uuid])
    start('ceph-osd', ['-i', '0'])
    await until(async () => await command('ceph', ['osd', 'stat']).then(answer => / 1 up/.test(answer), () => false))
    const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = credentials
    const gateway = start('radosgw', ['-n', 'client.rgw'])
    const origin = `http://127.0.0.1:${port}`
    await until(async () => await fetch(origin).then(({ ok }) => ok, () => false))
    await command('radosgw-admin', ['-n', 'client.rgw', 'user', 'create', '--uid=obra', '--display-name=obra', `--access-key=${access}`, `--secret-key=${secret}`])
    return { origin, signal: (signal) => { gateway.kill(signal) }, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}
