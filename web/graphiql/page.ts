import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { exampleQueries, projectPlaceholder } from '../examples.ts'
import { pageKeyScript } from '../key.ts'

const keyPlaceholder = 'sgl_YOUR_KEY'

/** JSON for a script element. An escaped `<` cannot end the element. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

const style = `
  .graphiql-tab { transform: none !important }
  .graphiql-container .graphiql-logo { color: hsl(var(--color-neutral)); flex-shrink: 0; white-space: nowrap }
  .graphiql-editor-tools [data-name=headers]::after { content: ' with your API key' }
  .graphiql-doc-explorer a { text-decoration: underline }
  .graphiql-container .graphiql-doc-explorer-error { white-space: normal }
  .sightline-status { margin: 0; padding: 8px var(--px-16) 0; font-size: 13px; color: hsl(var(--color-neutral)) }
  .sightline-status:empty { display: none }
  [data-empty-tab] .graphiql-query-editor { position: relative }
  [data-empty-tab] .graphiql-query-editor::before {
    content: 'Write a query, such as { projects { nodes { name } } }. Ctrl-Space lists fields.';
    position: absolute; z-index: 1; top: 20px; left: 62px; right: 72px; pointer-events: none;
    color: hsl(var(--color-neutral)); font-size: 14px;
  }
  @media (max-width: 700px) {
    #graphiql-session { display: flex !important; flex-direction: column !important }
    #graphiql-session > div { min-width: 0; min-height: 0 }
    #graphiql-session > .graphiql-horizontal-drag-bar, .graphiql-container .graphiql-logo { display: none }
    .graphiql-container .graphiql-sidebar { width: auto; padding: 8px 2px }
  }
  @media (prefers-color-scheme: light) {
    body:not(.graphiql-dark) a.graphiql-doc-explorer-type-name { color: #8a5200 }
    body:not(.graphiql-dark) a.graphiql-doc-explorer-field-name { color: #0b57a4 }
  }
`

/** What screen readers call the editors, which GraphiQL calls all the same. */
const labels = {
  'operation.graphql': 'GraphQL document',
  'variables.json': 'Variables of the document, as JSON',
  'request-headers.json': 'Headers of the request with your API key, as JSON',
  'response.json': 'Answer',
}

/**
 * The script of GraphiQL with its own plugin of the history beside the explorer. Yoga's bundle has the plugin, and
 * names the explorer alone.
 * @throws where a new version of the bundle has another form
 */
function withHistory(bundle: string): string {
  const history = /(\w+)===void 0\?\[(\w+)\]:\1/.exec(bundle)?.[2]
  const explorer = /plugins:\[(\w+)\],schemaDescription/
  if (history === undefined || !explorer.test(bundle)) {
    throw new Error('The bundle of GraphiQL has no plugin of the history in its known place.')
  }
  return bundle.replace(
    explorer,
    (_all, shown) => `plugins:[${history},${shown}],schemaDescription`,
  )
}

const textOf = (url: string | URL) => readFile(fileURLToPath(url), 'utf8')

/**
 * GraphiQL as one page with inlined scripts, styles and editor workers. `#code=…` or `#key=sgl_…` in the
 * address fills the Authorization header. The key goes to this service alone, and neither the address nor the disk keeps it.
 */
async function graphiqlPage(): Promise<string> {
  // Nine megabytes: loaded at the first request, not at the start.
  const [{ css, js, editorWorkerService, jsonWorker, graphqlWorker, favicon }, sse, client] =
    await Promise.all([
      import('@graphql-yoga/render-graphiql/graphiql'),
      textOf(new URL('../umd/graphql-sse.min.js', import.meta.resolve('graphql-sse'))),
      textOf(new URL('./client.js', import.meta.url)),
    ])
  const headers = JSON.stringify({ Authorization: `Bearer ${keyPlaceholder}` }, null, 2)
  const options = {
    title: 'Sightline GraphiQL',
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: 'headers',
    headers,
    defaultTabs: exampleQueries.map(({ query, variables }) => ({ query, variables, headers })),
  }
  const sightline = {
    endpoint: '/graphql',
    placeholderKey: keyPlaceholder,
    placeholderProject: projectPlaceholder,
    labels,
    options,
  }
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Sightline GraphiQL</title>
    <link rel="icon" href="${favicon}" />
    <style>${css} ${style}</style>
  </head>
  <body id="body" class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script>
      const worker = (code) => URL.createObjectURL(new Blob([code], { type: 'application/javascript' }))
      const workers = {
        editorWorkerService: worker(${inScript(editorWorkerService)}),
        json: worker(${inScript(jsonWorker)}),
        graphql: worker(${inScript(graphqlWorker)}),
      }
      self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
      ${withHistory(js)};
      ${sse};
      ${pageKeyScript}
      const sightline = ${inScript(sightline)}
      ${client}
    </script>
  </body>
</html>
`
}

let page: Promise<Buffer> | undefined

/** The page as gzip, built once. */
export function graphiqlGzip(): Promise<Buffer> {
  page ??= graphiqlPage().then((html) => promisify(gzip)(html))
  return page
}
