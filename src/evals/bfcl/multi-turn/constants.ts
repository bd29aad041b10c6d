import { readFile } from 'node:fs/promises'
import { benchmarkPath } from '../../datasets-place.js'
import { deepCopy } from '../../python/deep-copy.js'
import { parsePythonJson } from '../../python/json.js'
import { ELLIPSIS, PyDict, type PyValue } from '../../python/values.js'
import { BfclDataError } from '../cases.js'
import type { Constants, Process } from './simulators/simulator.js'

const STATES = 'multi_turn_default_states.json'
const EXTENSIONS = 'multi_turn_long_context_extensions.json'
/** Extensions that the official methods change in place, for all instances of the process. */
const CHANGED = new Set(['CREDIT_CARD_EXTENSION', 'BOOKING_RECORD_EXTENSION', 'LONG_WEATHER_EXTENSION'])

/** Makes what the instances of one case share, each time as in a fresh process of the official scorer. */
export type NewProcess = () => Process

/**
 * Reads the constants of the official classes.
 * @param datasets folder that holds benchmarks/
 * @throws MissingDataError, BfclDataError
 */
export async function readConstants(datasets?: string): Promise<NewProcess> {
  const [states, extensions] = await Promise.all([STATES, EXTENSIONS].map((name) => read(name, datasets)))
  // The official watch list ends with Python's `...`, which the export can only name.
  const watched = extensions!.get('WATCH_LIST_EXTENSION')
  if (Array.isArray(watched) && watched.at(-1) === 'Ellipsis') watched.splice(-1, 1, ELLIPSIS)
  return () => ({ constants: constantsOf(states!, extensions!), shared: new Map() })
}

async function read(name: string, datasets: string | undefined): Promise<PyDict> {
  const value = parsePythonJson(await readFile(benchmarkPath(`bfcl_v4/${name}`, datasets), 'utf8'))
  if (!(value instanceof PyDict)) throw new BfclDataError(name, '?', 'not an object')
  return value
}

function constantsOf(states: PyDict, extensions: PyDict): Constants {
  const changed = new Map<string, PyValue>()
  const constant = (className: string, name: string): PyValue => {
    const group = states.get(className)
    const value = group instanceof PyDict ? group.get(name) : undefined
    if (value === undefined) throw new BfclDataError(STATES, className, `there is no ${name}`)
    return value
  }
  return {
    constant,
    state: (className) => {
      const value = constant(className, 'DEFAULT_STATE')
      if (!(value instanceof PyDict)) throw new BfclDataError(STATES, className, 'DEFAULT_STATE is not an object')
      return deepCopy(value)
    },
    extension: (name) => {
      const value = changed.get(name) ?? extensions.get(name)
      if (value === undefined) throw new BfclDataError(EXTENSIONS, name, 'there is no such constant')
      if (!CHANGED.has(name) || changed.has(name)) return value
      const copy = deepCopy(value)
      changed.set(name, copy)
      return copy
    },
  }
}
