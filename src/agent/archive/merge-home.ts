import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ICAL from 'ical.js'
import { mergeAccounts } from '../../domains/calendar/index.js'
import { parseConnections } from '../../domains/connections/index.js'
import { cleanStatement, MEMORY_FILE, statementsOf, withStatement } from '../../domains/memory/memory-file.js'
import { loadPolicyRules } from '../policy-rules.js'
import { copyWithTime, filesEntries, isDatabase } from './home-entries.js'
import { mergeJournal, mergeRecords, mergeTaint } from './merge-databases.js'

/** What a merge did with what both sides have. */
export interface Merged {
  /** Entries that came in whole or in part. */
  readonly added: number
  /** What differs and stayed as it was here; the other side's version lies in `import-conflicts`. */
  readonly conflicts: readonly string[]
}

/** Databases that are merged row by row. */
const DATABASES: { readonly [path: string]: typeof mergeRecords } = {
  'domains.db': mergeRecords,
  'journal.sqlite': mergeJournal,
  'journal.taint.sqlite': mergeTaint,
}

/** Where the other side's version of what differs is put. */
export const CONFLICTS = 'import-conflicts'

/**
 * Brings what an unpacked archive has and a data folder lacks into the folder. What differs stays as it is here, and the
 * other version is put beside it, so that nothing is lost.
 * @param target a copy of the data folder that nobody else uses
 */
export function mergeHome(target: string, from: string, paths: readonly string[]): Merged {
  let added = 0
  const conflicts: string[] = []
  const aside = (path: string, note?: string): void => {
    const place = join(target, CONFLICTS, path)
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    if (note === undefined) copyWithTime(join(from, path), place)
    else writeFileSync(`${place}.json`, note, { mode: 0o600 })
    conflicts.push(path)
  }
  const mail = new Set(mailNames(target))
  for (const path of paths) {
    const [ours, theirs] = [join(target, path), join(from, path)]
    if (path.startsWith('mail/') && mail.has(mailName(path))) continue
    if (!existsSync(ours)) {
      mkdirSync(dirname(ours), { recursive: true, mode: 0o700 })
      copyWithTime(theirs, ours)
      added++
      continue
    }
    const merge = Object.hasOwn(DATABASES, path) ? DATABASES[path] : undefined
    if (merge !== undefined) {
      const merged = merge(ours, theirs)
      added += merged.added
      if (merged.conflicts.length > 0) aside(path, `${JSON.stringify(merged.conflicts, null, 1)}\n`)
      continue
    }
    if (readFileSync(ours).equals(readFileSync(theirs))) continue
    const merged = isDatabase(ours) ? undefined : mergeText(path, ours, theirs)
    if (merged === undefined || !merged.whole) aside(path)
    if (merged !== undefined) {
      writeFileSync(ours, merged.text, { mode: 0o600 })
      added++
    }
  }
  return { added, conflicts }
}

/** A Maildir file's own name, without the flags that change when it is read. */
const mailName = (path: string): string => basename(path).split(':2,')[0] ?? ''

function mailNames(root: string): readonly string[] {
  return existsSync(join(root, 'mail')) ? filesEntries(join(root, 'mail')).map(mailName) : []
}

interface MergedText {
  readonly text: string
  /** False when something of theirs did not go in. */
  readonly whole: boolean
}

/** The merged text, or undefined when the two cannot be merged. */
function mergeText(path: string, ours: string, theirs: string): MergedText | undefined {
  const [a, b] = [readFileSync(ours, 'utf8'), readFileSync(theirs, 'utf8')]
  if (/\.ics$/i.test(path)) return mergeCalendars(a, b)
  if (path === MEMORY_FILE) {
    let text = a
    let whole = true
    for (const statement of statementsOf(b)) {
      const more = withStatement(text, cleanStatement(statement.text))
      if (more === undefined) continue
      if (more.replaced.length > 0) whole = false
      else text = more.text
    }
    return { text, whole }
  }
  if (path === 'policy.yaml') {
    if (loadPolicyRules(theirs).length === 0) return { text: a, whole: true }
    return loadPolicyRules(ours).length === 0 ? { text: b, whole: true } : undefined
  }
  if (path === 'caldav/account.json') return mergeAccounts(a, b)
  if (path === 'connections.json') {
    const connections = { ...parseConnections(b, path), ...parseConnections(a, path) }
    return { text: `${JSON.stringify({ version: 1, connections }, null, 2)}\n`, whole: true }
  }
  return undefined
}

/** Components of both calendars; of one that both have, ours. */
function mergeCalendars(a: string, b: string): MergedText | undefined {
  const parse = (text: string): ICAL.Component | undefined => {
    try {
      return new ICAL.Component(ICAL.parse(text) as unknown[])
    } catch {
      return undefined
    }
  }
  const [ours, theirs] = [parse(a), parse(b)]
  if (ours === undefined || theirs === undefined) return undefined
  const key = (c: ICAL.Component): string =>
    `${c.name} ${c.getFirstPropertyValue('uid') ?? c.getFirstPropertyValue('tzid')} ${c.getFirstPropertyValue('recurrence-id') ?? ''}`
  const known = new Map(ours.getAllSubcomponents().map((c) => [key(c), c.toString()]))
  let whole = true
  for (const component of theirs.getAllSubcomponents()) {
    const mine = known.get(key(component))
    if (mine === undefined) ours.addSubcomponent(component)
    else if (mine !== component.toString() && component.name !== 'vtimezone') whole = false
  }
  return { text: `${ours.toString()}\r\n`, whole }
}
