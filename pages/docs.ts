import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Asset } from './assets.ts'

/** Scripts and styles from this service alone; Swagger UI draws its icons from `data:`. */
export const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Sightline REST API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/sightline.css" />
  </head>
  <body>
    <main id="swagger-ui"></main>
    <noscript>The reference needs JavaScript. The document itself: <a href="/openapi.json">/openapi.json</a></noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/sightline.js"></script>
  </body>
</html>
`

/** `#key=sgl_…` in the address authorizes; it never leaves the browser, and is stored nowhere. */
const script = `const key = /^#key=(sgl_[0-9A-Za-z]+)$/.exec(location.hash)?.[1]
if (key) history.replaceState(null, '', location.pathname)
const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  onComplete: () => key && ui.preauthorizeApiKey('apiKey', key),
})
`

const style = `body { margin: 0 }
`

const fromPackage = (name: string, contentType: string): Asset => ({
  contentType,
  read: () => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))),
})

const given = (text: string, contentType: string): Asset => ({
  contentType,
  read: async () => text,
})

const css = 'text/css; charset=utf-8'
const js = 'text/javascript; charset=utf-8'

/** The reference of REST, by path: Swagger UI, with all that it needs. */
export const docsAssets: Readonly<Record<string, Asset>> = {
  '/docs': given(html, 'text/html; charset=utf-8'),
  '/docs/sightline.css': given(style, css),
  '/docs/sightline.js': given(script, js),
  '/docs/swagger-ui.css': fromPackage('swagger-ui.css', css),
  '/docs/swagger-ui-bundle.js': fromPackage('swagger-ui-bundle.js', js),
}

/** The description of REST after OpenAPI, as it is generated. */
export const openApiAsset: Asset = {
  contentType: 'application/json',
  read: () => readFile(new URL('../rest/openapi.json', import.meta.url)),
}
