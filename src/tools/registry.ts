import type { ToolSpec } from '../chat/types.js'
import { closestNames } from './closest.js'
import type { Tool, ToolContract } from './contract.js'
import { toolSpec } from './tool-spec.js'

/** A tool set that cannot be used: two tools of one name, or a name that is not snake_case. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  constructor(
    readonly code: 'duplicate-name' | 'bad-name',
    /** The offending tool name. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Tools by name, in the order of registration. Holds contracts (for data synthesis and evaluation) or whole tools (for
 * the host); the shortlist, the validation and the grammar read only contracts.
 */
export class ToolRegistry<T extends ToolContract = Tool> {
  readonly #byName = new Map<string, T>()
  readonly #specs = new Map<string, ToolSpec>()
  readonly #phrasings = new Map<string, readonly string[]>()
  #version = 0

  /** @throws RegistryError when a name is taken or not of the form `letters_digits` */
  constructor(tools: Iterable<T> = []) {
    for (const tool of tools) this.add(tool)
  }

  /** Adds one tool. @throws RegistryError as the constructor */
  add(tool: T): this {
    if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(tool.name)) {
      throw new RegistryError(
        'bad-name',
        tool.name,
        `The tool name ${JSON.stringify(tool.name)} must start with a letter and hold letters, digits, _ . or - only.`,
      )
    }
    if (this.#byName.has(tool.name)) {
      throw new RegistryError('duplicate-name', tool.name, `Two tools are called ${tool.name}; rename one.`)
    }
    this.#byName.set(tool.name, tool)
    this.#version++
    return this
  }

  /**
   * Adds ways people ask for tools, beside the tools' own examples; read by the shortlist only. Names that are not
   * registered are kept too, since their tool may come later.
   */
  addPhrasings(phrasings: { readonly [tool: string]: readonly string[] }): this {
    for (const [name, texts] of Object.entries(phrasings)) {
      this.#phrasings.set(name, [...(this.#phrasings.get(name) ?? []), ...texts])
    }
    this.#version++
    return this
  }

  /** The phrasings added for a tool, without its own examples. */
  phrasings(name: string): readonly string[] {
    return this.#phrasings.get(name) ?? []
  }

  /** Grows with every change; caches built over a registry compare it. */
  get version(): number {
    return this.#version
  }

  get size(): number {
    return this.#byName.size
  }

  /** The tool of this name, if registered. */
  get(name: string): T | undefined {
    return this.#byName.get(name)
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /** All tools in order of registration. */
  list(): T[] {
    return [...this.#byName.values()]
  }

  /** All names in order of registration. */
  names(): string[] {
    return [...this.#byName.keys()]
  }

  /** What the model is shown of a tool (computed once). Undefined for unknown names. */
  spec(name: string): ToolSpec | undefined {
    const known = this.#specs.get(name)
    if (known) return known
    const tool = this.#byName.get(name)
    if (!tool) return undefined
    const spec = toolSpec(tool)
    this.#specs.set(name, spec)
    return spec
  }

  /** Registered names that resemble a wrong one, best first. */
  closest(name: string, limit = 3): string[] {
    return closestNames(name, this.names(), limit)
  }
}
