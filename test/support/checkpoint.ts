import type { PGlite } from '@electric-sql/pglite'

// Parts of Emscripten's file system that its types lack.
interface FileNode {
  mode: number
  /** Bytes of a file, null if it is empty, or the nodes of a folder. */
  contents: Uint8Array | null | Record<string, FileNode>
}

interface OpenFile {
  fd: number | null
  shared: object
}

interface FileSystem {
  streams: Array<OpenFile | null | undefined>
  lookupPath: (path: string) => { node: FileNode }
  isDir: (mode: number) => boolean
  hashAddNode: (node: FileNode) => void
  hashRemoveNode: (node: FileNode) => void
}

const page = 65_536

/**
 * Records the state of an idle embedded database in memory: its memory, files and open files.
 * @returns a function that restores this state, for a fraction of the time of a start. It returns false if it cannot, because the memory has grown.
 */
export function checkpoint ({ Module: module }: PGlite): () => boolean {
  const fs = module.FS as unknown as FileSystem
  const root = fs.lookupPath('/pglite/data').node
  const size = module.HEAPU8.length
  const memory = usedPages(module.HEAPU8)
  const files = [...nodesIn(root, fs)].map(node => ({ node, properties: { ...node }, contents: copyOf(node.contents) }))
  const open = fs.streams.map(file => file == null ? file : { file, fd: file.fd, shared: { ...file.shared } })

  return () => {
    if (module.HEAPU8.length !== size) return false
    module.HEAPU8.fill(0)
    for (const [at, bytes] of memory) module.HEAPU8.set(bytes, at)

    for (const node of [...nodesIn(root, fs)]) fs.hashRemoveNode(node)
    for (const { node, properties, contents } of files) {
      fs.hashAddNode(Object.assign(node, properties, { contents: restoreContents(contents, node.contents) }))
    }
    fs.streams.splice(0, Infinity, ...open.map((saved) => {
      if (saved == null) return saved
      Object.assign(saved.file.shared, saved.shared)
      return Object.assign(saved.file, { fd: saved.fd })
    }))
    return true
  }
}

function usedPages (memory: Uint8Array): Array<[at: number, bytes: Uint8Array]> {
  const unused = Buffer.alloc(page)
  return Array.from({ length: memory.length / page }, (_, index) => index * page)
    .filter(at => unused.compare(memory, at, at + page) !== 0)
    .map(at => [at, memory.slice(at, at + page)])
}

function * nodesIn (node: FileNode, fs: FileSystem): Generator<FileNode> {
  yield node
  if (!fs.isDir(node.mode)) return
  for (const child of Object.values(node.contents ?? {})) yield * nodesIn(child as FileNode, fs)
}

function copyOf (contents: FileNode['contents']): FileNode['contents'] {
  return contents instanceof Uint8Array ? contents.slice() : contents && { ...contents }
}

/** Reuses the array of a file if its length is the same. New arrays for all files would start the garbage collector after each test. */
function restoreContents (contents: FileNode['contents'], current: FileNode['contents']): FileNode['contents'] {
  if (!(contents instanceof Uint8Array) || !(current instanceof Uint8Array) || contents.length !== current.length) return copyOf(contents)
  current.set(contents)
  return current
}
