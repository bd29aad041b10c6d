import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Records } from '../store/index.js'
import { DUE_KINDS, type Due } from './due.js'
import type { LastLook } from './judge.js'

const dueSchema = z.object({
  key: z.string(),
  at: z.number(),
  kind: z.enum(DUE_KINDS),
  title: z.string(),
  ref: z.string(),
  note: z.string().optional(),
})

const firedSchema = z.object({ key: z.string(), at: z.number(), how: z.enum(['rung', 'missed']) })
const lastSchema = z.object({ at: z.number(), zone: z.string() })

const ringSchema = dueSchema.extend({
  /** Milliseconds since 1970. */
  since: z.number(),
  /** `starting`: written before the notification. `ringing`: the notification is out. */
  state: z.enum(['starting', 'ringing']),
})

const missedSchema = dueSchema.extend({
  why: z.enum(['not-running', 'cut-off', 'maybe-unseen']),
  told: z.string().optional(),
})

/** Something that rings, or is about to. */
export type Ringing = z.infer<typeof ringSchema>

/**
 * Something that the owner must still be told: it fell due while nothing ran; it was rung, but it is not known whether the
 * notification came out; or its ringing was cut off by a crash.
 */
export type Missed = z.infer<typeof missedSchema>

/** Queued automations are run by whoever handles this collection of rows; see {@link Ledger.queue}. */
const queueSchema = z.object({
  key: z.string(),
  automation: z.string(),
  at: z.number(),
  /** What set it off, in words of the host. */
  cause: z.string(),
})

/** An automation that was set off and is not finished. */
export type Queued = z.infer<typeof queueSchema>

const FIRED = 'later-fired'
const RINGS = 'later-ringing'
const MISSED = 'later-missed'
const QUEUE = 'later-queue'
const STATE = 'later-state'

/** Id of a key's rows. */
export function keyId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 24)
}

/** What one look found, as it was written. */
export interface Found {
  readonly rung: readonly Due[]
  readonly missed: readonly Due[]
}

/**
 * What fell due and what became of it, on the owner's records. An occurrence is written down before its notification goes
 * out. A crash in between therefore never rings twice; whether it rang is then not known, and it is reported at the next
 * start, so that it is not lost either: at most once for ringing, at least once for being told.
 */
export class Ledger {
  constructor(readonly records: Records) {}

  /** The last look, undefined before the first one. */
  last(): LastLook | undefined {
    return this.records.get(STATE, 'last', lastSchema)
  }

  /** Notes a look that found nothing. */
  looked(last: LastLook): void {
    this.records.put(STATE, 'last', last)
  }

  /** Whether an occurrence was fired already. */
  fired(key: string): 'rung' | 'missed' | undefined {
    return this.records.get(FIRED, keyId(key), firedSchema)?.how
  }

  /**
   * Writes what a look found, all or nothing, leaving out what another process wrote meanwhile.
   * @param back forget first what was missed and lies ahead of the look again
   */
  commit(rung: readonly Due[], missed: readonly Due[], last: LastLook, back: boolean): Found {
    const { records } = this
    return records.transaction(() => {
      if (back)
        for (const { id, data } of records.all(FIRED, firedSchema))
          if (data.how === 'missed' && data.at > last.at) {
            records.remove(FIRED, id)
            records.remove(MISSED, id)
          }
      const fresh = (list: readonly Due[], how: 'rung' | 'missed'): Due[] =>
        list.filter((due) => {
          const id = keyId(due.key)
          if (this.fired(due.key) !== undefined) return false
          records.put(FIRED, id, { key: due.key, at: due.at, how })
          return true
        })
      const rings = fresh(rung, 'rung')
      const lost = fresh(missed, 'missed')
      for (const due of rings) {
        if (due.kind === 'automation')
          records.put(QUEUE, keyId(due.key), {
            key: due.key,
            automation: due.ref,
            at: due.at,
            cause: due.note ?? 'its time came',
          })
        else records.put(RINGS, keyId(due.key), { ...plain(due), since: last.at, state: 'starting' })
      }
      for (const due of lost) records.put(MISSED, keyId(due.key), { ...plain(due), why: 'not-running' })
      records.put(STATE, 'last', last)
      return { rung: rings, missed: lost }
    })
  }

  /** Everything that rings, oldest first. */
  ringing(): readonly Ringing[] {
    return this.records
      .all(RINGS, ringSchema)
      .map((item) => item.data)
      .sort((a, b) => a.since - b.since || a.at - b.at)
  }

  /** Notes that the notification is out. False when it was stopped meanwhile. */
  rings(key: string): boolean {
    return this.records.transaction(() => {
      const row = this.records.get(RINGS, keyId(key), ringSchema)
      if (row === undefined) return false
      this.records.put(RINGS, keyId(key), { ...row, state: 'ringing' })
      return true
    })
  }

  /** Stops a ringing; whoever rings notices. False when it did not ring any more. */
  stop(key: string): boolean {
    return this.records.transaction(() => {
      const rang = this.records.get(RINGS, keyId(key), ringSchema) !== undefined
      this.records.remove(RINGS, keyId(key))
      return rang
    })
  }

  /** What a process that ended left ringing becomes something to be told. */
  collectCutOff(): void {
    this.records.transaction(() => {
      for (const ring of this.ringing()) {
        const { since: _, state, ...due } = ring
        this.records.put(MISSED, keyId(ring.key), { ...due, why: state === 'starting' ? 'maybe-unseen' : 'cut-off' })
        this.records.remove(RINGS, keyId(ring.key))
      }
    })
  }

  /** Adds something to be told. */
  miss(missed: Missed): void {
    this.records.put(MISSED, keyId(missed.key), missed)
  }

  /** What the owner must still be told, oldest first. */
  untold(): readonly Missed[] {
    return this.records
      .all(MISSED, missedSchema)
      .map((item) => item.data)
      .sort((a, b) => a.at - b.at)
  }

  /** The owner was told these. */
  told(list: readonly Missed[]): void {
    this.records.transaction(() => {
      for (const { key } of list) this.records.remove(MISSED, keyId(key))
    })
  }

  /** Automations that were set off and are not finished, oldest first. */
  queue(): readonly Queued[] {
    return this.records
      .all(QUEUE, queueSchema)
      .map((item) => item.data)
      .sort((a, b) => a.at - b.at)
  }

  /**
   * Sets an automation off, once per key: `fire` queues it, otherwise it counts as missed. Runs inside a transaction of the
   * caller, if there is one. False when that was done before.
   */
  setOff(due: Due, fire: boolean): boolean {
    const id = keyId(due.key)
    if (this.fired(due.key) !== undefined) return false
    this.records.put(FIRED, id, { key: due.key, at: due.at, how: fire ? 'rung' : 'missed' })
    if (fire)
      this.records.put(QUEUE, id, {
        key: due.key,
        automation: due.ref,
        at: due.at,
        cause: due.note ?? 'it was set off',
      })
    else this.records.put(MISSED, id, { ...plain(due), why: 'not-running' })
    return true
  }

  /** A queued automation is finished. */
  finished(key: string): void {
    this.records.remove(QUEUE, keyId(key))
  }
}

const plain = ({ key, at, kind, title, ref, note }: Due) => ({
  key,
  at,
  kind,
  title,
  ref,
  ...(note === undefined ? {} : { note }),
})
