import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of a program on the PATH, undefined when it is not there. */
export function findProgram(name: string, path = process.env.PATH ?? ''): string | undefined {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // The next folder may have it.
    }
  }
  return undefined
}
