import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DataSet } from './catalogue.js'

/** What is on this machine of a set. */
export interface DataState {
  readonly name: string
  readonly title: string
  readonly licence: string
  /** Repository and commit that its files come from. */
  readonly sources: readonly string[]
  /** Folder where files of it were found, undefined when there are none. */
  readonly folder?: string
  readonly present: number
  /** Files that it can have by fetching. */
  readonly total: number
  readonly lacking: readonly string[]
}

/** Looks for a set's files in folders laid out as datasets; the first that holds any of them counts. */
export function dataState(set: DataSet, folders: readonly string[]): DataState {
  const files = (set.made.length > 0 ? set.made : set.files).map(({ to }) => to)
  const found = folders
    .map((folder) => ({ folder, present: files.filter((file) => existsSync(join(folder, file))).length }))
    .find(({ present }) => present > 0)
  return {
    name: set.name,
    title: set.title,
    licence: set.licence,
    sources: [...new Set(set.files.map(({ repository, commit }) => `github.com/${repository} ${commit}`))],
    ...(found ? { folder: found.folder } : {}),
    present: found?.present ?? 0,
    total: files.length,
    lacking: set.lacking,
  }
}
