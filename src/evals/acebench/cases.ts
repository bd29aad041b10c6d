import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmarkPath } from '../datasets-place.js'
import { PyError } from '../python/errors.js'
import { parsePythonJson } from '../python/json.js'
import { PyDict, type PyValue } from '../python/values.js'
import type { AgentAnswer } from './score-agent.js'
import type { TextCase } from './score-text.js'
import type { SimulationSetup } from './simulation.js'

/** Categories of the normal group, in the order of the official table. */
export const NORMAL_CATEGORIES = [
  'normal_atom_bool',
  'normal_atom_enum',
  'normal_atom_number',
  'normal_atom_list',
  'normal_atom_object_deep',
  'normal_atom_object_short',
  'normal_single_turn_single_function',
  'normal_single_turn_parallel_function',
  'normal_multi_turn_user_switch',
  'normal_multi_turn_user_adjust',
  'normal_similar_api',
  'normal_preference',
] as const
/** Categories whose texts are judged by fixed phrases. */
export const SPECIAL_CATEGORIES = ['special_incomplete', 'special_error_param', 'special_irrelevant'] as const
/** Categories with simulators. */
export const AGENT_CATEGORIES = ['agent_multi_turn', 'agent_multi_step'] as const

/** A file of ACEBench that does not have the documented shape, or lacks a case. */
export class AceBenchDataError extends Error {
  override readonly name = 'AceBenchDataError'
  readonly code = 'acebench-data'
  constructor(
    readonly file: string,
    readonly id: string,
    reason: string,
  ) {
    super(`${file}: case ${id}: ${reason}. Fetch the data set again at the pinned commit.`)
  }
}

/** A case as its files hold it. Numbers keep their Python type. */
export class AceBenchCase {
  constructor(
    readonly category: string,
    readonly id: string,
    /** A line of `data_<category>.json`. */
    readonly data: PyDict,
    /** The line of `possible_answer/` with the same id. */
    readonly answer: PyDict,
    private readonly initialState: PyDict,
  ) {}

  /** A member of the case as text, '' where it lacks. */
  text(name: 'question' | 'time' | 'profile'): string {
    const value = this.data.get(name)
    return typeof value === 'string' ? value : ''
  }

  /** Documents of the functions; a lone document becomes a list. */
  get functions(): PyValue[] {
    const functions = this.data.get('function') ?? []
    return Array.isArray(functions) ? functions : [functions]
  }

  /** What the scorers of normal_* and special_* read. */
  get textCase(): TextCase {
    return {
      category: this.category,
      functions: this.data.get('function') ?? [],
      groundTruth: this.answer.get('ground_truth') ?? null,
    }
  }

  /** What the scorer of agent_* reads. */
  get agentAnswer(): AgentAnswer {
    return { groundTruth: this.answer.get('ground_truth') ?? [], milestones: this.answer.get('mile_stone') ?? [] }
  }

  /** What a simulation of an agent_* case starts from. */
  get setup(): SimulationSetup {
    const [config, classes] = [this.data.get('initial_config'), this.data.get('involved_classes')]
    return {
      initialState: this.initialState,
      config: config instanceof PyDict ? config : new PyDict(),
      classes: Array.isArray(classes) ? classes.filter((name) => typeof name === 'string') : [],
    }
  }
}

/** The English cases, read from the data folder once per category. */
export class AceBenchCases {
  readonly #datasets: string | undefined
  readonly #categories = new Map<string, Promise<ReadonlyMap<string, AceBenchCase>>>()
  #initialState: Promise<PyDict> | undefined

  /** @param datasets folder that holds benchmarks/ @throws MissingDataError */
  constructor(datasets?: string) {
    this.#datasets = datasets
    benchmarkPath('acebench', datasets)
  }

  /** All cases of a category, in order of the file. @throws AceBenchDataError, MissingDataError */
  async all(category: string): Promise<ReadonlyMap<string, AceBenchCase>> {
    let cases = this.#categories.get(category)
    if (!cases) {
      cases = this.#read(category)
      this.#categories.set(category, cases)
    }
    return cases
  }

  /** @throws AceBenchDataError when the category has no such case */
  async find(category: string, id: string): Promise<AceBenchCase> {
    const found = (await this.all(category)).get(id)
    if (!found) throw new AceBenchDataError(`data_${category}.json`, id, 'there is no such case')
    return found
  }

  async #read(category: string): Promise<ReadonlyMap<string, AceBenchCase>> {
    if (!/^[a-z_]+$/.test(category)) throw new AceBenchDataError('acebench', category, 'not the name of a category')
    const file = `data_${category}.json`
    const answers = new Map<string, PyDict>()
    for (const line of await this.#lines(join('possible_answer', file))) answers.set(idOf(line, file), line)
    const state = category.startsWith('agent') ? await this.#state() : new PyDict()
    const cases = new Map<string, AceBenchCase>()
    for (const line of await this.#lines(file)) {
      const id = idOf(line, file)
      const answer = answers.get(id)
      if (!answer) throw new AceBenchDataError(file, id, 'the case has no answer')
      cases.set(id, new AceBenchCase(category, id, line, answer, state))
    }
    return cases
  }

  #state(): Promise<PyDict> {
    const file = 'agent_multi_step_initial_state_en.json'
    this.#initialState ??= this.#text(file).then((text) => object(text, file))
    return this.#initialState
  }

  async #lines(name: string): Promise<PyDict[]> {
    const content = await this.#text(join('data_en', name))
    return content
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => object(line, name))
  }

  async #text(name: string): Promise<string> {
    return readFile(benchmarkPath(join('acebench', name), this.#datasets), 'utf8')
  }
}

function object(text: string, file: string): PyDict {
  let value: PyValue
  try {
    value = parsePythonJson(text)
  } catch (error) {
    throw new AceBenchDataError(file, '?', error instanceof PyError ? error.message : 'not JSON')
  }
  if (value instanceof PyDict) return value
  throw new AceBenchDataError(file, '?', 'not an object')
}

function idOf(line: PyDict, file: string): string {
  const id = line.get('id')
  if (typeof id === 'string') return id
  throw new AceBenchDataError(file, String(id), 'id must be a string')
}
