import { cleanPath, type Entry, type Folder, StoreError, walk } from '../store/index.js'

/** Folder for what was trashed or replaced; hidden, so that no tool reaches it by path. */
export const TRASH = '.trash'

const STARTUP =
  /^(?:autorun\.inf|autoexec\.bat|desktop\.ini|thumbs\.db|ntuser\..*|bashrc|profile|zshrc|authorized_keys|crontab|.*\.(?:lnk|desktop|service|plist))$/i

/** The owner's files: a jailed folder without hidden and start-up files, and without BotPsy's own. */
export class FilesStore {
  /** `denied`: paths below the root that belong to BotPsy itself, in one spelling. */
  constructor(
    readonly folder: Folder,
    private readonly denied: readonly string[] = [],
  ) {}

  /**
   * A path that tools may use, in one spelling.
   * @throws {StoreError} `outside` for what leads outside, is hidden, starts programs, or belongs to BotPsy.
   */
  check(path: string): string {
    const clean = cleanPath(path)
    for (const part of clean.split('/')) {
      if (part.includes(':'))
        throw new StoreError(
          'outside',
          clean,
          `${clean} has a colon, which some systems read as a hidden stream. Choose another name.`,
        )
      if (part.startsWith('.') && part !== '')
        throw new StoreError(
          'outside',
          clean,
          `${clean} is hidden, and hidden files are not touched. Choose another name.`,
        )
      if (STARTUP.test(part))
        throw new StoreError(
          'outside',
          clean,
          `${part} could start programs, so it is not touched. Choose another name.`,
        )
    }
    const folded = clean.normalize('NFC').toLowerCase()
    for (const own of this.denied) {
      const at = own.normalize('NFC').toLowerCase()
      if (folded === at || folded.startsWith(`${at}/`))
        throw new StoreError('outside', clean, `${clean} belongs to BotPsy itself and is not touched.`)
    }
    return clean
  }

  private visible(entry: Entry): boolean {
    try {
      return this.check(entry.path) === entry.path
    } catch (error) {
      if (error instanceof StoreError) return false
      throw error
    }
  }

  /** Visible entries of one folder. */
  list(path: string): readonly Entry[] {
    return this.folder.list(path === '' ? '' : this.check(path)).filter((e) => this.visible(e))
  }

  /** All visible files, at most `limit`. */
  all(limit = 5000): readonly Entry[] {
    const view: Folder = Object.create(this.folder, {
      list: { value: (path: string) => this.folder.list(path).filter((e) => this.visible(e)) },
    })
    return walk(view, '', limit)
  }
}
