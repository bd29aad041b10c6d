import { z } from 'zod'

/** Where a message lies on a server: its folder, the folder's UIDVALIDITY (RFC 3501, 2.3.1.1) and its UID. */
export interface Place {
  readonly folder: string
  readonly uidValidity: string
  readonly uid: number
}

const placeSchema = z.tuple([z.string(), z.string(), z.number().int().positive()])

/** A place as one string. */
export function writePlace(place: Place): string {
  return JSON.stringify([place.folder, place.uidValidity, place.uid])
}

/** Reads {@link writePlace}; undefined for anything else. */
export function readPlace(text: string): Place | undefined {
  try {
    const parsed = placeSchema.safeParse(JSON.parse(text))
    if (!parsed.success) return undefined
    const [folder, uidValidity, uid] = parsed.data
    return { folder, uidValidity, uid }
  } catch {
    return undefined
  }
}
