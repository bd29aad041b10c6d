import { existsSync, writeFileSync } from 'node:fs'
import { Agent, type AgentOptions } from '../agent/agent.js'
import { type Approver, NOBODY } from '../agent/approval.js'
import { ApproveClassError, approveClasses } from '../agent/approve-classes.js'
import { type Home, openHome } from '../agent/home.js'
import { Journal } from '../agent/journal.js'
import { loadPolicy, POLICY_TEMPLATE } from '../agent/policy-rules.js'
import { GENERAL_SYSTEM_TEXT, localZone } from '../agent/system-text.js'
import type { ToolRegistry } from '../tools/registry.js'
import { toolIndex } from '../tools/shortlist.js'
import { UsageError } from './exit-codes.js'
import { type OpenedEngine, openEngine } from './open-engine.js'
import { openTools } from './open-tools.js'
import type { RunFlags } from './options.js'

/** Everything that a command works with. Close it when done. */
export interface Composition {
  readonly home: Home
  readonly journal: Journal
  readonly registry: ToolRegistry
  readonly agent: Agent
  readonly opened: OpenedEngine
  close(): Promise<void>
}

/** The owner's data without a model: for undo and history. */
export interface DataComposition {
  readonly home: Home
  readonly journal: Journal
  readonly registry: ToolRegistry
  close(): void
}

/** Leaves a rules file that explains itself; where none can be written there are no rules, which the journal reports. */
function explainPolicy(file: string): void {
  if (existsSync(file)) return
  try {
    writeFileSync(file, POLICY_TEMPLATE, { mode: 0o600, flag: 'wx' })
  } catch {
    return
  }
}

/** Opens home, journal and tools. @throws HomeError, JournalError, and what the stores throw */
export async function composeData(flags: Pick<RunFlags, 'data'>): Promise<DataComposition> {
  const home = openHome(flags.data)
  explainPolicy(home.policy)
  const journal = new Journal(home.journal)
  const { registry, close } = await openTools(home)
  return {
    home,
    journal,
    registry,
    close: () => {
      close()
      journal.close()
    },
  }
}

/**
 * Puts an agent together from the command line: home, rules, journal, tools, model. The model loads in its own process
 * while the shortlist reads its phrasings here.
 * @param open opens the engine; another one is for tests
 * @throws the typed errors of the parts; UsageError for flags that contradict the installation
 */
export async function compose(
  flags: RunFlags,
  approver: Approver = NOBODY,
  open: typeof openEngine = openEngine,
): Promise<Composition> {
  const data = await composeData(flags)
  try {
    const { rules, table } = loadPolicy(data.home.policy)
    const approved = classes(flags.approve, data.registry)
    const opening = open(flags, data.home)
    // A failed load is reported below, where it is awaited; until then it must not count as unhandled.
    opening.catch(() => undefined)
    toolIndex(data.registry)
    const opened = await opening
    const think = flags.think ?? opened.think
    const options: AgentOptions = {
      engine: opened.engine,
      registry: data.registry,
      journal: data.journal,
      approver,
      rules,
      table,
      approved,
      timeZone: localZone(),
      answers: opened.tiny ? 'checked' : 'free',
      tellDate: !opened.tiny,
      ...(opened.shortlistWeight === undefined ? {} : { shortlistWeight: opened.shortlistWeight }),
      ...(opened.quote === undefined ? {} : { quote: opened.quote }),
      ...(opened.tiny ? {} : { system: GENERAL_SYSTEM_TEXT }),
      ...(opened.sampling ? { sampling: opened.sampling } : {}),
      ...(think === undefined ? {} : { think }),
    }
    return {
      ...data,
      opened,
      agent: new Agent(options),
      close: async () => {
        await opened.engine.close()
        data.close()
      },
    }
  } catch (error) {
    data.close()
    throw error
  }
}

function classes(list: string | undefined, registry: ToolRegistry): string[] {
  try {
    return list === undefined ? [] : approveClasses(list, registry.names())
  } catch (error) {
    if (error instanceof ApproveClassError) throw new UsageError(error.message)
    throw error
  }
}
