import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from './find-program.js'
import { SOUNDS, wav } from './wav.js'

/** Programs that play a WAV file, the first that is there is taken. */
const PLAYERS: { readonly [platform: string]: readonly (readonly [program: string, ...args: string[]])[] } = {
  linux: [['pw-play'], ['paplay'], ['aplay', '-q']],
  darwin: [['afplay']],
  win32: [['powershell.exe', '-NoProfile', '-Command', '(New-Object Media.SoundPlayer $args[0]).PlaySync()']],
}

/** How to play a file on this machine, undefined when nothing is there for it. */
export function playerOf(
  platform: string = process.platform,
  find: (name: string) => string | undefined = findProgram,
): readonly [string, ...string[]] | undefined {
  return (PLAYERS[platform] ?? PLAYERS.linux)?.find(([program]) => find(program) !== undefined)
}

/** Plays sounds until they are stopped; one at a time. Where nothing plays sound, the terminal's bell rings. */
export class Sound {
  readonly #sounding = new Set<string>()
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #player = playerOf()

  /**
   * @param folder for the sound files, made when they are needed
   * @param bell rings the terminal's bell
   */
  constructor(
    private readonly folder: string,
    private readonly bell: () => void,
  ) {}

  /** Plays a sound once. */
  once(name: keyof typeof SOUNDS): void {
    this.#play(name)
  }

  /** Plays a sound again and again under a key, until {@link stop}. */
  start(key: string, name: keyof typeof SOUNDS): void {
    this.#sounding.add(key)
    if (this.#sounding.size === 1) this.#again(name)
  }

  /** Ends a sound; others go on. */
  stop(key: string): void {
    if (!this.#sounding.delete(key) || this.#sounding.size > 0) return
    clearTimeout(this.#timer)
    this.#child?.kill()
  }

  /** Ends all sounds. */
  close(): void {
    for (const key of [...this.#sounding]) this.stop(key)
    this.#child?.kill()
  }

  #again(name: keyof typeof SOUNDS): void {
    const length = SOUNDS[name].reduce((sum, [, seconds]) => sum + seconds, 0) * 1000
    this.#play(name)
    this.#timer = setTimeout(
      () => {
        if (this.#sounding.size > 0) this.#again(name)
      },
      Math.max(500, length),
    )
  }

  #play(name: keyof typeof SOUNDS): void {
    if (this.#player === undefined) {
      this.bell()
      return
    }
    const [program, ...args] = this.#player
    try {
      mkdirSync(this.folder, { recursive: true })
      const file = join(this.folder, `${name}.wav`)
      writeFileSync(file, wav(SOUNDS[name]))
      this.#child?.kill()
      this.#child = spawn(program, [...args, file], { stdio: 'ignore', windowsHide: true })
      this.#child.once('error', () => this.bell())
      this.#child.once('exit', (code) => {
        // No sound server or card.
        if (code !== 0 && code !== null) this.bell()
      })
    } catch {
      this.bell()
    }
  }
}
