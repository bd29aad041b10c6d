/** Rooms from left to right: a room imports only rooms to its left (docs/architecture.md). */
const rooms = ['chat', 'model', 'engine', 'tools', 'domains', 'agent', 'worlds', 'evals', 'training', 'interop', 'mesh']

module.exports = {
  forbidden: [
    ...rooms.map((room, i) => ({
      name: `layer-${room}`,
      severity: 'error',
      comment: `${room} may import only ${rooms.slice(0, i + 1).join(', ')}`,
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(testing|${rooms.slice(0, i + 1).join('|')})/` },
    })),
    {
      name: 'chat-is-pure',
      severity: 'error',
      comment: 'chat does no I/O and runs in a browser',
      from: { path: '^src/chat/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'no-orphan-resolution', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'faces-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/cli/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
