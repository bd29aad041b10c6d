/** What rings at the moment, and how to stop it. */
export interface RingDesk {
  /** Oldest first. */
  ringing(): readonly {
    readonly key: string
    readonly kind: string
    readonly title: string
    /** UID of the entry. */
    readonly ref: string
  }[]
  /** Stops it wherever it rings; false when it did not ring any more. */
  stop(key: string): boolean
}

/** Stops everything of one kind that rings, and returns how many that were. */
export function stopRinging(desk: RingDesk | undefined, kind: 'alarm' | 'timer'): number {
  const list = desk?.ringing().filter((ring) => ring.kind === kind) ?? []
  return list.filter((ring) => desk?.stop(ring.key)).length
}
