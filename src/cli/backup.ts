import { stat, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Command } from 'commander'
import { backUp } from './backup/back-up.ts'
import { linesOf } from './backup/format.ts'
import { markBackup } from './backup/mark.ts'
import { restore, RestoreError } from './backup/restore.ts'
import { fileParts } from '../files/streams.ts'
import { replaceFile } from '../http/replace-file.ts'
import { CliError, keepOwner, remark, report } from './output.ts'
import { withProgress } from './progress.ts'
import type { Databases } from './with-database.ts'

/** `obra backup` and `obra restore`. */
export function addBackupCommands (program: Command, { asOwner }: Databases): void {
  program.command('backup')
    .description('write a consistent backup; on PostgreSQL, the service can keep running')
    .argument('<file>', 'file to write; an existing file is replaced only when the new backup is complete')
    .option(...keepOwner)
    .addHelpText('after', `
Stop the server before you back up the embedded database.

The time of the last backup is stored in the database. obra doctor and the metrics of the servers have its age.

The files of attachments are not in the backup. Within 24 hours after it, copy DATA_DIR/files, or the bucket of FILES_URL.

Example:
  $ obra backup "obra-$(date +%F).backup"`)
    .action(async (path: string, options: { keepOwner?: true }, command: Command) => {
      const { rows, size, fault } = await asOwner(async ({ orm }) => {
        const write = async (file: FileHandle) => await withProgress('rows', async progress => await backUp(orm, file, progress))
        const { rows } = await replaceFile(path, write, options.keepOwner && path)
        const { size } = await stat(path)
        return { rows, size, fault: await markBackup(orm, rows, size).then(faultOf, (error: Error) => error.message) }
      })
      report(command, { file: path, rows, bytes: size }, `${path}: ${rows} rows, ${size} bytes`)
      if (fault !== undefined) remark(command, `the backup is complete, but its time could not be stored for obra doctor: ${fault}`)
    })

  program.command('restore')
    .description('restore a backup into an empty database')
    .argument('<file>', 'file that `obra backup` wrote')
    .addHelpText('after', `
A database with tables is refused, so nothing is overwritten. If the restore fails, the database stays empty.

Copy the files of attachments back to DATA_DIR/files, or to the bucket of FILES_URL. Then run obra doctor, which lists missing ones.

Example:
  $ createdb obra_restored
  $ DATABASE_URL=postgres://…/obra_restored obra restore obra-2026-11-20.backup`)
    .action(async (path: string, _options, command: Command) => {
      if (!(await stat(path)).isFile()) throw new CliError(`${path} is not a regular file: the backup is read twice`)
      const { rows } = await asOwner(async ({ orm }) => await withProgress('rows', async progress => {
        return await restore(orm, () => linesIn(path), progress)
      })).catch((error: Error & { code?: string }) => { throw asCliError(error) })
      report(command, { file: path, rows }, `restored ${rows} rows from ${path}`)
    })
}

/** @param isMarked whether the time of the backup is stored */
function faultOf (isMarked: boolean): string | undefined {
  return isMarked ? undefined : 'the database is of an earlier release; run `obra migrate` after the backup'
}

/** Reads the lines of a compressed file. Errors of the file surface in the iteration. */
function linesIn (path: string): AsyncIterable<string> {
  return linesOf(pipeline(fileParts(path), createGunzip(), () => {}))
}

function asCliError (error: Error & { code?: string }): Error {
  if (error instanceof RestoreError) return new CliError(error.message)
  if (error.code === 'Z_BUF_ERROR') return new CliError('the backup is incomplete: its end is missing')
  if (error.code !== 'Z_DATA_ERROR' && !(error instanceof RangeError)) return error
  return new CliError('the file is not an Obra backup, or it is damaged')
}
