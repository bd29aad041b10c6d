import { execFile } from 'node:child_process'
import { findProgram } from './find-program.js'
import { escaped, FreeDesktop } from './free-desktop.js'
import type { Notice } from './notice.js'

/** What the owner pressed on a notification. */
export type Pressed = 'stop' | 'snooze'

/** A notification that is out. */
export interface Shown {
  /** Takes it away. */
  close(): void
}

/** Puts notifications on the owner's desktop. */
export interface Desktop {
  /** @param pressed told when the owner presses something or closes a ringing notification */
  show(notice: Notice, pressed: (what: Pressed) => void): Shown
  /** Lets go of the desktop; notifications stay. */
  close?(): void
}

const NOTHING: Shown = { close: () => undefined }

/**
 * The desktop of this machine; undefined where nothing can show a notification.
 * @param failed told in words when a notification could not be shown
 */
export function desktopOf(
  failed: (why: string) => void,
  platform: string = process.platform,
  find: (name: string) => string | undefined = findProgram,
): Desktop | undefined {
  if (platform === 'darwin') return find('osascript') === undefined ? undefined : new MacDesktop()
  if (platform === 'win32') return new WindowsDesktop()
  return new FreeDesktop(failed)
}

/** A text as an AppleScript string. */
const appleText = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** The script that shows a notification, or a dialog with buttons while something rings. */
export function appleScript(notice: Notice): string {
  const { title, text } = notice
  if (!notice.rings) return `display notification ${appleText(text)} with title ${appleText(title)}`
  const buttons = notice.snooze ? '{"Snooze", "Stop"}' : '{"Stop"}'
  return `button returned of (display dialog ${appleText(text)} with title ${appleText(title)} buttons ${buttons} default button "Stop")`
}

class MacDesktop implements Desktop {
  show(notice: Notice, pressed: (what: Pressed) => void): Shown {
    const child = execFile('osascript', ['-e', appleScript(notice)], (error, stdout) => {
      if (error === null && notice.rings) pressed(/Snooze/.test(stdout) ? 'snooze' : 'stop')
    })
    return notice.rings ? { close: () => child.kill() } : NOTHING
  }
}

/** A text as XML. */
const xmlText = (text: string): string => escaped(text).replaceAll('"', '&quot;')

/** The PowerShell script that shows a toast (Windows.UI.Notifications); snoozing goes by `botpsy alarms snooze`. */
export function toastScript(notice: Notice): string {
  const scenario = notice.rings ? ' scenario="alarm"' : ''
  const actions = notice.rings
    ? '<actions><action content="Stop" arguments="stop" activationType="system"/></actions>'
    : ''
  const xml = `<toast${scenario}><visual><binding template="ToastGeneric"><text>${xmlText(notice.title)}</text><text>${xmlText(notice.text)}</text></binding></visual>${actions}</toast>`
  return [
    '[Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime] | Out-Null',
    '[Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom, ContentType = WindowsRuntime] | Out-Null',
    '$x = New-Object Windows.Data.Xml.Dom.XmlDocument',
    `$x.LoadXml('${xml.replaceAll("'", "''")}')`,
    "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('BotPsy').Show((New-Object Windows.UI.Notifications.ToastNotification $x))",
  ].join('\n')
}

class WindowsDesktop implements Desktop {
  show(notice: Notice): Shown {
    const encoded = Buffer.from(toastScript(notice), 'utf16le').toString('base64')
    execFile('powershell.exe', ['-NoProfile', '-EncodedCommand', encoded], { windowsHide: true }).once(
      'error',
      () => undefined,
    )
    return NOTHING
  }
}
