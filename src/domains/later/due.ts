/** What can fall due. */
export const DUE_KINDS = ['alarm', 'timer', 'reminder', 'automation'] as const

/** One of {@link DUE_KINDS}. */
export type DueKind = (typeof DUE_KINDS)[number]

/** One occurrence of something that happens at a time. */
export interface Due {
  /** The same for the same occurrence whenever and by whomever it is looked up, and for no other one. */
  readonly key: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly kind: DueKind
  readonly title: string
  /** The entry or automation that it belongs to. */
  readonly ref: string
  /** More for the owner: when the event begins, where. */
  readonly note?: string
  /** True when its time hangs on the owner's zone (whole days, times without a zone). */
  readonly floating?: boolean
}

/** Something that knows what falls due. */
export interface DueSource {
  /** What falls due in [from, to], milliseconds since 1970. Other things in the result are ignored. */
  between(from: number, to: number, zone: string): readonly Due[] | Promise<readonly Due[]>
}
