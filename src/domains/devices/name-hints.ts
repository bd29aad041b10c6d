/** Whether the name is one of a coffee machine, which has no domain of its own. */
export const isCoffeeMachine = (name: string): boolean => /\b(?:coffee|espresso)\b/i.test(name)

/** Room words at the beginning of a name stand in for the area of an entity that is in none. */
const ROOM =
  /^(?:the )?((?:living|dining|guest|laundry|play|bed|bath) ?room|kitchen|bedroom|bathroom|hallway|hall|office|study|garage|garden|porch|basement|attic|nursery|entrance|balcony|terrace|utility room|playroom)\b/i

/** The room that a name begins with, `house` when it begins with none. */
export function roomInName(name: string): string {
  return ROOM.exec(name)?.[1]?.toLowerCase() ?? 'house'
}
