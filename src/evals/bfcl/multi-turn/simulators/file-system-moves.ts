import { pyStr } from '../../../python/repr.js'
import { pyContains } from '../../../python/sequences.js'
import type { PyValue } from '../../../python/values.js'
import { DirectoryNode, FileNode } from './file-system-nodes.js'
import { dict, failure } from './simulator.js'

/** `mv` within a directory: into a directory that it holds, else to a new name. */
export function moveNode(here: DirectoryNode, source: PyValue, target: PyValue): PyValue {
  return place('mv', here, source, target)
}

/** `cp` within a directory; what a copied directory holds is shared with the original, as officially. */
export function copyNode(here: DirectoryNode, source: PyValue, target: PyValue): PyValue {
  return place('cp', here, source, target)
}

function place(tool: 'mv' | 'cp', here: DirectoryNode, source: PyValue, target: PyValue): PyValue {
  const verb = tool === 'mv' ? 'move' : 'copy'
  const done = tool === 'mv' ? 'moved' : 'copied'
  const [from, to] = [pyStr(source), pyStr(target)]
  if (!here.contents.has(source)) return failure(`${tool}: cannot ${verb} '${from}': No such file or directory`)
  const item = here.item(source)!
  if (pyContains(target, '/'))
    return failure(`${tool}: path not allowed in destination. Provide only a file or directory name.`)
  let parent = here
  let name = target
  let shown = to
  if (here.contents.has(target)) {
    const existing = here.item(target)
    if (!(existing instanceof DirectoryNode))
      return failure(`${tool}: cannot ${verb} '${from}' to '${to}': Not a directory`)
    // The official cp looks for the whole path among the names, so that a taken name raises only on adding.
    if (existing.contents.has(tool === 'mv' ? source : `${to}/${from}`))
      return failure(`${tool}: cannot ${verb} '${from}' to '${to}/${from}': File exists`)
    parent = existing
    name = source
    shown = `${to}/${from}`
  }
  if (tool === 'mv') here.contents.delete(source)
  if (item instanceof FileNode) parent.addFile(name, item.content)
  else {
    const added = parent.addDirectory(name)
    added.contents = tool === 'mv' ? item.contents : item.contents.copy()
  }
  return dict({ result: `'${from}' ${done} to '${shown}'` })
}
