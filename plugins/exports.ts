import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import { Crowded } from '../src/database/turns/crowded.ts'
import { Semaphore } from '../src/database/turns/semaphore.ts'
import { httpError, nonFieldErrors, ValidationError } from '../src/http/errors.ts'
import { namedTag } from '../src/http/representation.ts'
import { exportSlices } from '../src/http/slices.ts'
import { SpoolError, Spools, type Spool } from '../src/http/spool.ts'
import { callerOf, OpenCounts } from '../src/limits/caller.ts'
import type { ExportedList } from '../src/resources/csv/exported-list.ts'
import { writeCsv } from '../src/resources/csv/write.ts'
import { ofCompany, type Reader } from '../src/resources/declaration/scope.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The files of open exports. */
    spools: Spools
  }
  interface FastifyReply {
    /**
     * Answers with a whole list as CSV. All its rows have one revision.
     * @throws {HttpError} 429 for a customer with too many open exports; {@link ValidationError} for a file that is too large;
     * {@link Crowded}; {@link SpoolError} of the operating system
     */
    sendCsv: (list: ExportedList) => Promise<FastifyReply>
  }
}

/** Exports that read at once: of the process, and of one customer. The others wait. */
const running = { size: limits.exports.reading, perKey: limits.exports.readingOfCustomer }

/** Open exports of a customer: waiting, reading, and sending their file. */
const maxOpen = limits.exports.open

/** Bytes of a file, and of all files of the process. */
const spoolLimits = { perText: limits.exports.fileBytes, total: limits.exports.totalBytes }

/**
 * Longest time in ms in which an export reads. Until then it sends nothing. Servers and proxies close connections that are silent for 60 s,
 * and the export may have waited for its turn.
 */
const maxReadMs = limits.exports.readMs

/** Longest time in ms in which a client reads the file. */
const maxSendMs = limits.exports.sendMs

/** Pause in seconds after a refused export. */
const retryAfter = 10

/** Attempts to read the parts of a list at one revision without holding a connection. */
const attempts = 3

/**
 * Exports of whole lists (decision 56). A complete file on the disk is sent, so a slow client holds neither a database connection nor a
 * snapshot, and an error never ends a file in the middle.
 */
export default fp(async function exports (app: FastifyInstance) {
  const { database: { shares } } = app
  const readers = new Semaphore<string>({ name: 'exports', ...running, key: 'otherExports' })
  const snapshots = new Semaphore<string>({ name: 'exports in one snapshot', size: 1, perKey: 1, key: 'otherExports' })
  const open = new OpenCounts<string>(maxOpen)
  const spools = new Spools(spoolLimits)

  app.decorate('spools', spools)
  app.decorateReply('sendCsv', async function (this: FastifyReply, list) {
    const { request, raw } = this
    const caller = callerOf(request)
    if (!open.hasRoom(caller)) throw tooManyExports()
    open.add(caller)
    // An export lets other requests run first, and a client that reads the file does not keep the process busy.
    request.beginWait()
    const deadline = performance.now() + limits.exports.waitMs
    const spool = await readers.run(caller, deadline, async () => await spooled(request, raw, list)).catch((error) => {
      request.endWait()
      open.remove(caller)
      throw refusalOf(error)
    })
    const tag = `"${spool.digest()}"`
    const stream = spool.stream()
    const timer = setTimeout(() => raw.destroy(), maxSendMs).unref()
    let isOpen = true
    const end = () => {
      if (!isOpen) return
      isOpen = false
      clearTimeout(timer)
      request.endWait()
      open.remove(caller)
    }
    // Closing the file takes longer than the end of the answer, after which the client may ask for the next export.
    stream.once('end', end).once('close', end)
    this.header('etag', tag)
    if (raw.closed || namedTag(request.headers['if-none-match'], tag) !== undefined) {
      stream.destroy()
      return await this.code(304).send()
    }
    return await this.type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${list.name}.csv"`)
      .header('content-length', spool.bytes)
      .send(stream)
  })

  async function spooled (request: FastifyRequest, raw: FastifyReply['raw'], list: ExportedList): Promise<Spool> {
    const deadline = performance.now() + maxReadMs
    const pause = exportSlices.begin(callerOf(request))
    const check = () => {
      if (raw.closed) throw new Crowded('the client of an export has disconnected')
      if (performance.now() > deadline) throw new Crowded('an export takes too long', { key: 'answerTooLong', isGivenUp: true })
    }
    const spool = await spools.create()
    try {
      await read(request, list, deadline, async reader => await writeCsv(spool, list.columns, list.parts(reader), pause, check))
      return spool
    } catch (error) {
      await spool.close()
      throw error
    }
  }

  /**
   * Reads a list in short statements and, if its company changes in between, again in one snapshot. That holds a connection for slow
   * reads. If there is only one, it reads in short statements again. Parts of a list that never changes always belong together.
   * @param write returns whether all parts had the same revision
   */
  async function read (
    { records }: FastifyRequest, { resource, isFixed = false }: ExportedList, deadline: number, write: (reader: Reader) => Promise<boolean>
  ): Promise<void> {
    // Changes of accounts raise no revision that could be compared.
    const { revised } = resource.scope ?? ofCompany
    const left = isFixed ? 1 : !revised ? 0 : shares.holdsSnapshots ? 1 : attempts
    for (let attempt = 1; attempt <= left; attempt++) {
      if (await write(records.reader(resource))) return
    }
    if (left === attempts) {
      throw new Crowded('a company has changed in each attempt of an export', { key: 'changedDuringExport', isGivenUp: true })
    }
    await snapshots.run('exports', deadline, async () => await records.inSnapshot(resource, deadline, write))
  }
}, { name: 'exports', dependencies: ['database', 'shedding', 'authorization'] })

/** The answer to an export that cannot be read, or whose file finds no room. Errors of the operating system stay as they are. */
function refusalOf (error: unknown): unknown {
  if (error instanceof Crowded) return new Crowded(error.message, { key: error.key, retryAfter, isGivenUp: error.isGivenUp, cause: error })
  if (!(error instanceof SpoolError)) return error
  if (error.reason === 'total') return new Crowded('the files of exports take too much disk', { key: 'otherExports', retryAfter })
  if (error.reason === 'system') return error
  const values = { max_mb: spoolLimits.perText / 1_000_000 }
  return new ValidationError([{ field: nonFieldErrors, key: 'fileTooLarge', values }])
}

function tooManyExports (): Error {
  const values = { most: maxOpen, wait: retryAfter }
  return httpError(429, { key: 'tooManyExports', values, headers: { 'retry-after': String(retryAfter) } })
}
