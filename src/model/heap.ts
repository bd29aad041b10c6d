/** Binary heap: `pop` gives the item that comes before all others. Where no two items tie, the order is fixed. */
export class Heap<T> {
  private readonly items: T[] = []

  constructor(private readonly before: (a: T, b: T) => boolean) {}

  /** Adds an item. */
  push(item: T): void {
    const { items, before } = this
    let i = items.length
    items.push(item)
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!before(item, items[parent]!)) break
      items[i] = items[parent]!
      i = parent
    }
    items[i] = item
  }

  /** Removes the first item; undefined when there is none. */
  pop(): T | undefined {
    const { items, before } = this
    const top = items[0]
    const last = items.pop()
    if (top === undefined || last === undefined || items.length === 0) return top
    let i = 0
    for (let child = 1; child < items.length; child = 2 * i + 1) {
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++
      if (!before(items[child]!, last)) break
      items[i] = items[child]!
      i = child
    }
    items[i] = last
    return top
  }
}
