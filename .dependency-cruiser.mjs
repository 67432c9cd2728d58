// Holds the rules of docs/architecture.md: the order of the rooms, the packages that each may load, and no circles.

/** The rooms in the order of docs/architecture.md: each imports from itself and from the rooms before it. */
const rooms = [
  'conversation',
  'json',
  'grammar',
  'dialects',
  'templates',
  'ai-sdk',
  'protocols',
  'upstreams',
  'messages',
  'records',
  'gateway',
  'cli',
]

/** Rooms that read text import no package, not even its types. */
const withoutPackages = ['conversation', 'json', 'grammar', 'dialects', 'templates']

/** Packages that run wherever Web standards do. Everything but the command loads only these; `#undici` is a condition of package.json. */
const runAnywhere = ['@cfworker/json-schema', '@opentelemetry/api', 'eventsource-parser', 'yaml', 'zod']

const test = '\\.test\\.ts$'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms.map((room, index) => ({
      name: `${room}-imports-upwards`,
      comment: 'A room imports only from rooms before it in the list of docs/architecture.md.',
      severity: 'error',
      from: { path: `^src/${room}/`, pathNot: test },
      to: { path: `^src/(${rooms.slice(index + 1).join('|') || '$.'})/` },
    })),
    {
      name: 'through-the-index',
      comment: 'Another room is entered through its index.ts, or through that of one of its floors.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: test },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '/index\\.ts$'] },
    },
    {
      name: 'entries-name-what-is-public',
      comment: 'The files beside the rooms are the entries of the package: they only pass on what indexes name.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { pathNot: '^src/[^/]+/index\\.ts$' },
    },
    {
      name: 'no-circle-of-values',
      comment: 'Two files that need each other to load have no order in which a reader can take them.',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-package-in-rooms-that-read-text',
      severity: 'error',
      from: { path: `^src/(${withoutPackages.join('|')})/`, pathNot: test },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'core'] },
    },
    {
      name: 'only-packages-that-run-anywhere',
      comment: "Node's own modules are asked for when they are used (upstreams/transport/builtin-module.ts).",
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          test,
          '^src/cli/',
          // Types of modules that are loaded later, by a name that bundlers do not follow.
          '^src/upstreams/transport/(builtin-module|node-transport)\\.ts$',
          '^src/upstreams/oci/session\\.ts$',
        ],
      },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'core'],
        dependencyTypesNot: ['type-only'],
        pathNot: runAnywhere.map((name) => `node_modules/${name}/`),
      },
    },
    {
      name: 'no-test-code-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { path: '^(test|tools)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
