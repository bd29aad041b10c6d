import { ConnectionError, type Finding } from '../connections/index.js'
import { countWords, listWords } from '../words/match.js'
import { DEVICE_KINDS, type Device } from './device.js'
import type { DeviceSource } from './source.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

const PLURALS: { readonly [kind: string]: string } = { speaker: 'player', scene: 'scene', lock: 'door', plug: 'plug' }

/** Connects, counts the devices by kind and room, and goes again; changes nothing. */
export async function findingsOf(source: DeviceSource, signal?: AbortSignal): Promise<readonly Finding[]> {
  try {
    const session = await source.open(signal)
    const { devices } = session
    await session.close()
    if (devices.length === 0)
      return [
        { ok: true, text: `${capital(source.title)} answers, and tells no devices.` },
        {
          ok: false,
          text: 'There is nothing to control yet.',
          todo: 'Check that devices announce themselves there, and that the user or token may see them.',
        },
      ]
    return [
      { ok: true, text: `${capital(source.title)} answers; it has ${sayKinds(devices)}.` },
      ...rooms(devices).map(([room, list]): Finding => ({ ok: true, text: `${room}: ${sayKinds(list)}` })),
      ...(devices.some((d) => d.unreachable)
        ? [
            {
              ok: false,
              text: `${countWords(devices.filter((d) => d.unreachable).length, 'device')} not reachable at the moment: ${listWords(
                devices
                  .filter((d) => d.unreachable)
                  .slice(0, 5)
                  .map((d) => d.name),
              )}.`,
              todo: 'Check their power and their network.',
            },
          ]
        : []),
    ]
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    const at = error.message.indexOf('. ')
    return [
      {
        ok: false,
        text: at < 0 ? error.message : error.message.slice(0, at + 1),
        todo: at < 0 ? 'Check the address and try again.' : error.message.slice(at + 2),
      },
    ]
  }
}

function sayKinds(devices: readonly Device[]): string {
  return listWords(
    DEVICE_KINDS.flatMap((kind) => {
      const n = devices.filter((d) => d.kind === kind).length
      return n === 0 ? [] : [countWords(n, PLURALS[kind] ?? kind)]
    }),
  )
}

function rooms(devices: readonly Device[]): readonly (readonly [string, readonly Device[]])[] {
  const names = [...new Set(devices.map((d) => d.room))].slice(0, 20)
  return names.map((room) => [room, devices.filter((d) => d.room === room)] as const)
}
