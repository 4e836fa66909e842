import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './errors.ts'

/**
 * Checks that this user can read and write a folder, or create it if it is missing. Changes nothing.
 * @throws {Error} of the operating system, such as EACCES, ENOTDIR or EROFS
 */
export async function tryFolder (path: string): Promise<void> {
  try {
    // The slash and dot refuse a file that has the name of the folder.
    await access(`${path}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await tryFolder(dirname(path))
  }
}
