import type { MessageStructureObject } from 'imapflow'
import type { Attachment } from './parse-mail.js'

/** What the structure of a message (RFC 3501 BODYSTRUCTURE) tells before any of it is loaded. */
export interface Shape {
  /** Part number of the text to read, undefined when there is none. */
  readonly text: string | undefined
  readonly html: boolean
  readonly attachments: readonly Attachment[]
}

/** Deeper nesting than any mail program writes. */
const DEEPEST = 50

const nameOf = (node: MessageStructureObject): string =>
  node.dispositionParameters?.filename ?? node.parameters?.name ?? node.envelope?.subject ?? node.type

/** Bytes of the content: base64 (RFC 2045) is a third longer than what it carries. */
const sizeOf = (node: MessageStructureObject): number =>
  Math.round((node.size ?? 0) * (node.encoding?.toLowerCase() === 'base64' ? 0.73 : 1))

/** Picks the part to read (plain before HTML, the first of each) and lists the rest. */
export function shapeOf(root: MessageStructureObject | undefined): Shape {
  let plain: string | undefined
  let html: string | undefined
  const attachments: Attachment[] = []
  const visit = (node: MessageStructureObject, depth: number): void => {
    if (depth > DEEPEST) return
    const type = node.type.toLowerCase()
    if (node.childNodes !== undefined && type.startsWith('multipart/')) {
      for (const child of node.childNodes) visit(child, depth + 1)
      return
    }
    const part = node.part ?? '1'
    const attached =
      node.disposition?.toLowerCase() === 'attachment' || node.dispositionParameters?.filename !== undefined
    if (!attached && type === 'text/plain' && plain === undefined) plain = part
    else if (!attached && type === 'text/html' && html === undefined) html = part
    else if (attached || !type.startsWith('text/')) attachments.push({ name: nameOf(node), size: sizeOf(node) })
  }
  if (root !== undefined) visit(root, 0)
  return { text: plain ?? html, html: plain === undefined && html !== undefined, attachments }
}
