import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { PGlite, type postgresMod } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** An open file of Emscripten's file system. A folder has no descriptor. */
interface Stream { nfd?: number, node: unknown }

/** Emscripten's file system on the files of this machine. */
interface NodeFiles {
  stream_ops: { fsync?: (stream: Stream) => number }
  realPath: (node: unknown) => string
  /** Converts an error of Node.js to an `errno` for PostgreSQL. */
  tryFSOperation: (operation: () => void) => void
}

/**
 * Parameters with which the embedded PostgreSQL makes each commit durable. PGlite's own ones turn `fsync` off (`-F`). Emscripten ignores
 * `fdatasync`, PostgreSQL's default for its log.
 */
export const durableParams = [...PGlite.defaultStartParams.filter(param => param !== '-F'), '-c', 'wal_sync_method=fsync']

/** The folder of an embedded database, where `fsync` reaches the disk. Emscripten's file system has none and reports success. */
export class DurableFiles extends NodeFS {
  override async init (pglite: PGlite, options: Partial<postgresMod.PostgresMod>) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const sync = ({ FS: { filesystems } }: { FS: { filesystems: { NODEFS: NodeFiles } } }) => makeDurable(filesystems.NODEFS)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun ?? [], sync] } }
  }
}

function makeDurable (files: NodeFiles): void {
  files.stream_ops.fsync = ({ nfd, node }) => {
    files.tryFSOperation(() => {
      // `fdatasync` also writes the size, which is all that PostgreSQL needs, and takes a quarter of the time.
      if (nfd === undefined) syncFolder(files.realPath(node))
      else fdatasyncSync(nfd)
    })
    return 0
  }
}

/** Writes the entries of a folder to the disk. */
function syncFolder (path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
