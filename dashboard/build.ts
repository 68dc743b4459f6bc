import type { InlineConfig, Plugin } from 'vite'

const root = import.meta.dirname
const documentsFile = `${root}/documents.ts`

/**
 * Makes each GraphQL document a module of its own, so that a page loads its own documents alone: a module is never divided
 * between two files of the build.
 */
function splitDocuments(): Plugin {
  const modules = new Map<string, string>()
  const idOf = (name: string) => `${documentsFile}?${name}`
  return {
    name: 'split-documents',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (id !== documentsFile) return null
      const [kind = '', ...documents] = code.split(
        /^export const (?=\w+ = new TypedDocumentString)/m,
      )
      const names = documents.map((text) => /^\w+/.exec(text)?.[0] ?? '')
      modules.set(idOf('TypedDocumentString'), kind)
      for (const [at, name] of names.entries()) {
        const from = `import { TypedDocumentString } from '${idOf('TypedDocumentString')}'`
        modules.set(idOf(name), `${from}\nexport const ${documents[at]}`)
      }
      const parts = ['TypedDocumentString', ...names]
      const exported = parts.map((name) => `export { ${name} } from '${idOf(name)}'`)
      return { code: exported.join('\n'), moduleSideEffects: false, map: null }
    },
    resolveId: (id) => (modules.has(id) ? { id, moduleSideEffects: false } : null),
    load: (id) => modules.get(id) ?? null,
  }
}

/** What the build and the server of development share. */
const config: InlineConfig = {
  root,
  base: '/dashboard/',
  configFile: false,
  logLevel: 'error',
  publicDir: false,
}

/** Writes `dashboard/dist`, which the service serves: the page, and scripts and styles named by their content. */
export async function buildDashboard(): Promise<void> {
  // A build that a test starts is the one that people get.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  // Imported here: tests import this file, and most need no tools.
  const { build } = await import('vite')
  await build({
    ...config,
    plugins: [splitDocuments()],
    // The policy of the page refuses what is inlined.
    build: {
      assetsInlineLimit: 0,
      // The first browsers with `light-dark()`. For older ones it becomes variables that follow no scheme of Mantine's.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          // What every page needs is one file: as forty files it would be forty requests.
          codeSplitting: { groups: [{ name: 'base', test: /dashboard\/app\.tsx$/ }] },
        },
      },
    },
  })
  if (before === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = before
}

/**
 * Serves the dashboard from its sources, and replaces changed modules in open pages. Vite sends what is not the dashboard
 * to the service.
 * @param service where the service answers, such as `http://127.0.0.1:4000`
 * @returns where the dashboard answers
 */
export async function serveDashboard(service: string, port: number): Promise<string> {
  const { createServer } = await import('vite')
  const server = await createServer({
    ...config,
    base: '/',
    appType: 'spa',
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: {
        // The service takes a sign-in of its own pages alone.
        '^/(graphql|api|docs|page-key|sign-in|sign-out|share)(/|[?]|$)': {
          target: service,
          headers: { origin: service },
        },
      },
    },
  })
  await server.listen()
  return `http://127.0.0.1:${port}`
}

if (import.meta.main) await buildDashboard()
