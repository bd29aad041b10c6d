import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '../../../chat/types.js'
import { benchmarkPath } from '../../datasets-place.js'
import { parsePythonJson } from '../../python/json.js'
import { PyDict, type PyValue } from '../../python/values.js'
import { BfclDataError } from '../cases.js'
import { hintedDocument } from '../function-docs.js'
import { isTexts, type MultiTurnEntry } from './scenarios.js'

/** File of the documents of each class. */
const FILES: Readonly<Record<string, string>> = {
  GorillaFileSystem: 'gorilla_file_system.json',
  MathAPI: 'math_api.json',
  MessageAPI: 'message_api.json',
  TwitterAPI: 'posting_api.json',
  TicketAPI: 'ticket_api.json',
  TradingBot: 'trading_bot.json',
  TravelAPI: 'travel_booking.json',
  VehicleControlAPI: 'vehicle_control.json',
}

/** What the user says where functions that were held back are handed over. */
const MORE_FUNCTIONS = 'I have updated some more functions you can choose from. What about now?'

/** A turn of the conversation as a model meets it. */
export interface PromptedTurn {
  readonly messages: readonly Message[]
  /** Documents that are added before this turn. */
  readonly added: readonly PyDict[]
}

/** The documents that a case begins with, and its turns. */
export interface Conversation {
  readonly documents: readonly PyDict[]
  readonly turns: readonly PromptedTurn[]
}

/** Documents of each class, in the order of its file. @throws MissingDataError, BfclDataError */
export async function readDocuments(datasets?: string): Promise<ReadonlyMap<string, readonly PyDict[]>> {
  const folder = benchmarkPath('bfcl_v4/data/multi_turn_func_doc', datasets)
  const read = async ([className, file]: [string, string]): Promise<[string, PyDict[]]> => {
    const content = await readFile(join(folder, file), 'utf8')
    const documents = content.split('\n').filter((line) => line.trim() !== '')
    return [className, documents.map((line) => dictOr(parsePythonJson(line), file, className))]
  }
  return new Map(await Promise.all(Object.entries(FILES).map(read)))
}

/**
 * What a model is shown of a case: functions that are held back come with the turn that hands them over, without the
 * hint about Python, as officially.
 * @throws BfclDataError
 */
export function conversationOf(
  { id, classes, entry }: MultiTurnEntry,
  documents: ReadonlyMap<string, readonly PyDict[]>,
): Conversation {
  const shown = classes.flatMap((name) => documents.get(name) ?? [])
  const later = new Map<string, PyDict[]>()
  const missed = entry.get('missed_function')
  for (const [turn, names] of missed instanceof PyDict ? missed.entries() : []) {
    if (!isTexts(names)) throw new BfclDataError('missed_function', id, 'not a list of names')
    const taken = names.flatMap((name) => {
      const at = shown.findIndex((document) => document.get('name') === name)
      return at < 0 ? [] : shown.splice(at, 1)
    })
    later.set(String(turn), taken)
  }
  const question = entry.get('question')
  if (!Array.isArray(question)) throw new BfclDataError('question', id, 'not a list of turns')
  const turns = question.map((turn, place): PromptedTurn => {
    const added = later.get(String(place))
    if (added) return { added, messages: [{ role: 'user', content: MORE_FUNCTIONS }] }
    return { added: [], messages: (Array.isArray(turn) ? turn : []).map((message) => messageOf(message, id)) }
  })
  return { documents: shown.map((document) => hintedDocument(document, 'multi_turn')), turns }
}

function messageOf(value: PyValue, id: string): Message {
  const message = dictOr(value, 'question', id)
  const [role, content] = [message.get('role'), message.get('content')]
  if (typeof content !== 'string' || (role !== 'user' && role !== 'system'))
    throw new BfclDataError('question', id, 'not a message of a user or of the system')
  return { role, content }
}

function dictOr(value: PyValue, file: string, id: string): PyDict {
  if (!(value instanceof PyDict)) throw new BfclDataError(file, id, 'not an object')
  return value
}
