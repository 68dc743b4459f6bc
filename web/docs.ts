import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Asset } from './assets.ts'
import { pageKeyScript } from './key.ts'

/** Allows scripts and styles of this service only; Swagger UI needs `data:` for its icons. */
export const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

interface Reference {
  readonly title: string
  /** The OpenAPI document, and the page that shows it. */
  readonly document: string
  readonly page: string
  readonly link: string
}

const references: readonly Reference[] = [
  {
    title: 'Sightline REST API',
    document: '/openapi.json',
    page: '/docs',
    link: 'REST v1: frozen',
  },
  {
    title: 'Sightline graph over HTTP',
    document: '/openapi-graph.json',
    page: '/docs/graph',
    link: 'Graph over HTTP: follows the schema, not frozen',
  },
]

function linkTo({ page, link }: Reference, shown: Reference): string {
  return `<a href="${page}"${page === shown.page ? ' aria-current="page"' : ''}>${link}</a>`
}

const htmlOf = (shown: Reference) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${shown.title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/sightline.css" />
  </head>
  <body>
    <nav aria-label="References">${references.map((each) => linkTo(each, shown)).join('')}</nav>
    <main id="swagger-ui" data-document="${shown.document}"></main>
    <noscript>The reference needs JavaScript. The document itself: <a href="${shown.document}">${shown.document}</a></noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/sightline.js"></script>
  </body>
</html>
`

/**
 * `#code=…` or `#key=sgl_…` in the address authorizes, and fills in the first project of the key. The session storage of
 * the tab keeps the key. The rest helps keyboards
 * and screen readers: no link inside a button, code that scrolls without a mouse, and missing labels.
 */
const script = `${pageKeyScript}

const lacking = [
  ['.microlight', 'tabindex', '0'],
  ['.body-param__text', 'aria-label', 'Body of the request'],
  ['.close-modal', 'aria-label', 'Close'],
  ['.modal-btn.authorize', 'aria-label', 'Authorize'],
  ['.examples-select-element', 'aria-label', 'Example'],
]
const mend = () => {
  for (const [selector, name, value] of lacking) {
    for (const element of document.querySelectorAll(selector + ':not([' + name + '="' + value + '"])')) {
      element.setAttribute(name, value)
    }
  }
}
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true })

// Swagger UI's own resolver of OpenAPI 3.1 takes seconds for each operation. All references of ours are local.
const documentUrl = document.getElementById('swagger-ui').dataset.document
const at = (spec, path) => path.reduce((node, name) => node?.[name], spec)
const resolved = (spec, node, open = []) => {
  if (Array.isArray(node)) return node.map((item) => resolved(spec, item, open))
  if (node === null || typeof node !== 'object') return node
  const { $ref: ref } = node
  if (typeof ref !== 'string') {
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(spec, value, open)]))
  }
  // A type inside itself stays a reference.
  if (open.includes(ref)) return node
  const target = at(spec, ref.slice(2).split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')))
  return { ...resolved(spec, target, [...open, ref]), $$ref: location.origin + documentUrl + ref }
}
const resolveSubtree = async (spec, path) => ({ spec: resolved(spec, at(spec, path)), errors: [] })

const ownProject = async () => {
  const key = await pageKey
  if (!key) return undefined
  const answer = await fetch('/api/mcp/projects?limit=1', { headers: { Authorization: 'Bearer ' + key } })
  return answer.ok ? (await answer.json()).projects[0]?.id : undefined
}
// The form shows the default of a parameter.
const withProject = async (text) => {
  const id = await ownProject().catch(() => undefined)
  if (!id) return text
  const isProject = (node) => node?.name === 'projectId' && node.schema
  return JSON.stringify(JSON.parse(text, (_name, node) =>
    isProject(node) ? { ...node, schema: { ...node.schema, default: id } } : node,
  ))
}

const ui = SwaggerUIBundle({
  url: documentUrl,
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [{ components: { DeepLink: ({ text }) => text }, fn: { resolveSubtree } }],
  // The form fills in the default of \`days\`, which excludes these.
  requestInterceptor: (request) => {
    if (/[?&](from|to)=/.test(request.url)) request.url = request.url.replace(/\\bdays=\\d+&/, '')
    return request
  },
  responseInterceptor: async (response) => {
    if (new URL(response.url, location.href).pathname === documentUrl) response.text = await withProject(response.text)
    return response
  },
  onComplete: () => pageKey.then((key) => key && ui.preauthorizeApiKey('apiKey', key)),
})
pageKey.then((key) => {
  if (key || !link.isUsed) return
  const said = document.createElement('p')
  said.setAttribute('role', 'status')
  said.textContent = 'This link was used. Run \`npx sightline open --docs\` for a new one.'
  document.querySelector('nav').after(said)
})
`

/** Swagger UI's colours, dark enough to be read on what lies behind them; its choice of one server is no choice. */
const style = `body { margin: 0 }
nav { display: flex; gap: 1.5rem; padding: .75rem 1.25rem; border-bottom: 1px solid #d0d5dd; font: 14px sans-serif }
nav a { color: #0b57a4 }
nav a[aria-current] { color: #1a1a1a; font-weight: bold; text-decoration: none }
.swagger-ui .scheme-container .schemes > .schemes-server-container { display: none }
.swagger-ui .scheme-container .schemes { justify-content: flex-end }
.swagger-ui .info__license { display: none }
.swagger-ui a, .swagger-ui .info a, .swagger-ui .info .base-url, .swagger-ui .url { color: #0b57a4 }
.swagger-ui .info .title small { background: #55606e }
.swagger-ui .info .title small.version-stamp { background: #3f6212 }
.swagger-ui .btn.authorize { color: #0a6b45; border-color: #0a6b45 }
.swagger-ui .btn.authorize svg { fill: #0a6b45 }
.swagger-ui .btn.cancel { color: #b42318; border-color: #b42318 }
.swagger-ui .btn.execute { background: #0b57a4; border-color: #0b57a4 }
.swagger-ui .parameter__in { color: #55606e }
.swagger-ui .download-contents { background: #3b4151 }
.swagger-ui .microlight { background: #1a1a1a !important }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b57a4 }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0a6b45 }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #7a4a00 }
`

const fromPackage = (url: string, contentType: string): Asset => ({
  contentType,
  read: () => readFile(fileURLToPath(url)),
})

const given = (text: string, contentType: string): Asset => ({
  contentType,
  read: async () => text,
})

const css = 'text/css; charset=utf-8'
const js = 'text/javascript; charset=utf-8'

/** The REST reference by path: Swagger UI with its files. */
export const docsAssets: Readonly<Record<string, Asset>> = {
  ...Object.fromEntries(
    references.map((each) => [each.page, given(htmlOf(each), 'text/html; charset=utf-8')]),
  ),
  '/docs/sightline.css': given(style, css),
  '/docs/sightline.js': given(script, js),
  '/docs/swagger-ui.css': fromPackage(import.meta.resolve('swagger-ui-dist/swagger-ui.css'), css),
  '/docs/swagger-ui-bundle.js': fromPackage(
    import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    js,
  ),
}

const generated = (path: string, contentType: string): Asset => ({
  contentType,
  read: () => readFile(new URL(`../${path}`, import.meta.url)),
})

const json = 'application/json'

/** The generated descriptions of both interfaces, by path. */
export const contractAssets: Readonly<Record<string, Asset>> = {
  '/openapi.json': generated('rest/contract/openapi.json', json),
  '/openapi-graph.json': generated('rest/contract/openapi-graph.json', json),
  '/schema.graphql': generated('schema/schema.graphql', 'text/plain; charset=utf-8'),
  // What normalised caches of clients need to know of the schema.
  '/schema-cache.json': generated('schema/cache.json', json),
}
