/** Who may import whom. `ARCHITECTURE.md` shows the same as a table. */

/** Areas that are composed of others: they may import another area's `resolvers/<area>.ts`, never its SQL. */
const composed = [
  'members',
  'investigate',
  'opportunities',
  'alarms',
  'reports',
  'pages',
  'correlation',
]

/** The writes of the catalog that are part of an import, with the type of who writes and what a write returns. */
const catalogWrites = [
  // A replay ends questions of runs again.
  'resolvers/collecting/reread[.]ts$',
  'resolvers/connections/analytics[.]ts$',
  'resolvers/projects/change[.]ts$',
  'resolvers/prompts/(import|merge|questions|remove|undo)[.]ts$',
  // An import ends with a job that evaluates the new facts.
  'resolvers/shared/(audit-trail|change|jobs)[.]ts$',
]

const layers = {
  core: [],
  // Locks and durable files: below every layer that writes to disk, and apart from core, which does no I/O.
  disk: [],
  // Metrics and spans: what others hand their figures to.
  observability: ['core'],
  prisma: ['core', 'disk', 'observability'],
  warehouse: ['core', 'observability'],
  resolvers: ['core', 'prisma', 'warehouse', 'resolvers'],
  // What is read from a site, and judged by rules: without a store.
  site: ['core'],
  // Mails and POSTs to the channels of a workspace: requests go the guarded way of the site's reader.
  sending: ['core', 'site/(guard|net)'],
  // Sitemaps in files are read as those of a site are. Questions to AI platforms go the guarded way of the site's reader.
  imports: [
    'core',
    'prisma',
    'warehouse',
    'ingest/(event|lines)',
    'site/(guard|net|sitemap)',
    ...catalogWrites,
  ],
  // The jobs of the worker.
  worker: [
    'core',
    'prisma',
    'warehouse',
    'site',
    'sending',
    'digest',
    'imports',
    'resolvers',
    'observability',
  ],
  schema: ['core', 'resolvers', 'imports', 'sending'],
  // Questions to the graph from inside the service, as an owner asks them.
  digest: [
    'core',
    'prisma/(client|listen)',
    'resolvers/(live|shared)',
    'schema',
    'rest/handler/local',
    'warehouse/client',
    'web/share',
  ],
  plugins: ['core', 'prisma', 'observability'],
  rest: ['core', 'schema'],
  // Who connects an AI client: the catalog of clients and tokens, and documents of clients by the guard.
  oauth: [
    'core',
    'prisma',
    'site/(guard|net)',
    'resolvers/keys/(clients|bearer[.]sql)[.]ts$',
    'resolvers/shared/transaction[.]ts$',
  ],
  // Clients of the graph inside the process: no other way to data.
  mcp: ['core', 'plugins/request-state'],
  demo: [
    'core',
    'disk',
    'prisma',
    'warehouse',
    'resolvers',
    'imports',
    'ingest/(event|bots|lines)',
    'cli/folder',
  ],
  ingest: ['core', 'disk', 'warehouse'],
  // The page of a shared report shows what core says a report holds.
  web: ['core'],
  // A client of the graph. Its charts are those of shared reports.
  dashboard: ['core', 'web/share'],
  examples: [],
  // What others install: nothing of the service.
  packages: [],
}

const ours =
  '^(core|disk|observability|prisma|warehouse|resolvers|site|sending|digest|imports|worker|schema|plugins|rest|mcp|oauth|demo|ingest|web|dashboard|examples|packages|cli|api|server|codegen)[/.]'

/** A folder with all in it, or one file where the name ends with `$`. */
const pathOf = (name) => (name.endsWith('$') ? `^${name}` : `^${name}[/.]`)

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  comment: `${layer} may import ${['its own files', ...allowed].join(', ')} and packages, nothing else of ours`,
  from: { path: `^${layer}/` },
  to: { path: ours, pathNot: [layer, ...allowed].map(pathOf) },
}))

module.exports = {
  forbidden: [
    ...layerRules.map((rule) =>
      rule.name === 'layer-schema'
        ? // Types alone: what a request runs on, and what Pothos knows of the catalog.
          {
            ...rule,
            to: {
              ...rule.to,
              dependencyTypesNot: ['type-only'],
              pathNot: [...rule.to.pathNot, '^prisma/pothos[.]ts$'],
            },
          }
        : rule,
    ),
    {
      name: 'core-is-pure',
      severity: 'error',
      comment: 'core does no I/O; it may load a package late',
      from: { path: '^core/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|module|url|zlib)$' },
    },
    {
      name: 'resolvers-know-no-graphql',
      severity: 'error',
      comment: "a resolver says what a number means; how it is asked is the schema's affair",
      from: { path: '^resolvers/' },
      to: { path: 'node_modules/(graphql|@pothos|graphql-yoga|@envelop)' },
    },
    {
      name: 'resolvers-take-the-client-from-their-context',
      severity: 'error',
      comment:
        'a write must be able to run inside the idempotency transaction: import types of the client alone',
      from: { path: '^resolvers/' },
      to: { path: '^prisma/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-stem',
      severity: 'error',
      comment: 'an area reads its own statements; `projects` and `shared` serve all',
      from: { path: '^resolvers/([a-z-]+)', pathNot: `^resolvers/(${composed.join('|')})[/.]` },
      to: { path: '^resolvers/', pathNot: '^resolvers/($1[/.]|projects/projects[.]ts$|shared/)' },
    },
    {
      name: 'composed-areas-never-import-foreign-sql',
      severity: 'error',
      comment: "a composed area calls another's resolver, never its statements",
      from: { path: `^resolvers/(${composed.join('|')})[/.]` },
      to: { path: '^resolvers/.+[.]sql[.]ts$', pathNot: '^resolvers/($1[/.]|shared/)' },
    },
    {
      name: 'facts-of-many-by-facts-of',
      severity: 'error',
      comment: 'a statement over several projects takes its facts and their values from `factsOf`',
      from: { pathNot: '^resolvers/shared/many[.]ts$' },
      to: { path: '^resolvers/shared/many[.]sql[.]ts$' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      comment: 'what runs in service does not depend on tests or benchmarks',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'files that need each other are one file, or lack a third',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'every import leads somewhere',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Not `exclude`: what is excluded no rule sees, not even as the target of an import.
    doNotFollow: { path: '(^|/)node_modules/|^prisma/generated/' },
    exclude: {
      path: '^([.]sightline|examples/contributing|packages/[a-z]+/dist|dashboard/dist|test/gates/planted)/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      // The last for packages that hold types alone.
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
}
