/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number]

const COLORS: { readonly [name: string]: Rgb } = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  orange: [255, 128, 0],
  purple: [128, 0, 255],
  violet: [143, 0, 255],
  pink: [255, 96, 160],
  magenta: [255, 0, 255],
  cyan: [0, 255, 255],
  turquoise: [64, 224, 208],
  teal: [0, 128, 128],
  lime: [128, 255, 0],
  gold: [255, 200, 0],
  amber: [255, 170, 0],
  peach: [255, 190, 140],
  lavender: [190, 150, 255],
  indigo: [75, 0, 200],
  maroon: [128, 0, 0],
  olive: [128, 128, 0],
  salmon: [255, 120, 100],
  coral: [255, 110, 70],
  brown: [150, 75, 0],
  aqua: [0, 220, 220],
  navy: [0, 0, 128],
  crimson: [220, 20, 60],
  white: [255, 255, 255],
}

/** What a color word means: a color, or a shade of white in kelvin. */
export type Shade = { readonly rgb: Rgb } | { readonly kelvin: number }

/** Reads "dark blue", "warm white", "cold". Undefined for a word that names no color known here. */
export function shadeOf(words: string): Shade | undefined {
  const s = words.toLowerCase().replace(/[^a-z ]+/g, ' ')
  if (/\b(?:warm|soft|cosy|cozy|candle)\b/.test(s)) return { kelvin: 2700 }
  if (/\b(?:cold|cool|daylight|bright white)\b/.test(s) && !/\bblue\b/.test(s)) return { kelvin: 6000 }
  if (/\b(?:neutral|natural)\b/.test(s)) return { kelvin: 4000 }
  for (const word of s.split(' ').reverse()) {
    const rgb = Object.hasOwn(COLORS, word) ? COLORS[word] : undefined
    if (rgb) return { rgb }
  }
  return undefined
}

/** The name of the nearest known color. */
export function nameColor([r, g, b]: Rgb): string {
  let best = 'white'
  let least = Number.POSITIVE_INFINITY
  for (const [name, c] of Object.entries(COLORS)) {
    const d = (c[0] - r) ** 2 + (c[1] - g) ** 2 + (c[2] - b) ** 2
    if (d < least) {
      least = d
      best = name
    }
  }
  return best
}
