import { join } from 'node:path'

const root = import.meta.dirname

/** Writes `dashboard/dist`, which the service serves: the page, and scripts and styles named by their content. */
export async function buildDashboard(): Promise<void> {
  // A build that a test starts is the one that people get.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  // Imported here: tests import this file, and most need no tools.
  const [{ build }, { themeCss }] = await Promise.all([import('vite'), import('./theme.ts')])
  await build({
    root,
    base: '/dashboard/',
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'theme',
        enforce: 'pre',
        transform: (code, id) => (id === join(root, 'style.css') ? themeCss() + code : null),
      },
    ],
    // The policy of the page refuses what is inlined.
    build: {
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  if (before === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = before
}

if (import.meta.main) await buildDashboard()
