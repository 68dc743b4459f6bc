import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { exampleQueries, projectPlaceholder } from './examples.ts'
import { pageKeyScript } from './key.ts'

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
 * GraphiQL puts buttons into ARIA tabs, where screen readers do not find them. This makes them a list of buttons with
 * a current one, and names each editor.
 */
const accessible = `
      const labels = ${inScript(labels)}
      const fix = () => {
        for (const element of document.querySelectorAll('.graphiql-tabs, .graphiql-tab')) {
          element.removeAttribute('role')
          element.removeAttribute('aria-selected')
        }
        for (const button of document.querySelectorAll('.graphiql-tab-button')) {
          button.setAttribute('aria-current', String(button.closest('.graphiql-tab-active') !== null))
        }
        for (const field of document.querySelectorAll('[data-uri] [role="textbox"]')) {
          const label = labels[field.closest('[data-uri]').dataset.uri.replace(/^.*_-/, '')]
          if (label && field.getAttribute('aria-label') !== label) field.setAttribute('aria-label', label)
        }
      }
      new MutationObserver(fix).observe(document.querySelector('#root'), {
        childList: true, subtree: true, attributeFilter: ['role', 'aria-selected', 'aria-label', 'class'],
      })`

/**
 * Keeps a key that the service accepted in the session storage of the tab, so that a reload needs no key. GraphiQL
 * restores its tabs without headers: a request without a key gets the kept one. A refused key is forgotten.
 * A request with the placeholder of a project gets the id of the key's first project.
 */
const keptKey = `
      const send = self.fetch.bind(self)
      self.fetch = async (input, init = {}) => {
        const headers = new Headers(init.headers)
        const given = /^Bearer (sgl_[0-9A-Za-z]+)$/.exec(headers.get('Authorization') ?? '')?.[1]
        const used = given ?? sessionStorage.getItem(kept)
        if (used) headers.set('Authorization', 'Bearer ' + used)
        // A session by the organisation sends its key in a cookie.
        const hasKey = used || document.cookie.includes('sightline-signed-in=1')
        if (!used && hasKey) headers.delete('Authorization')
        // GraphiQL subscribes by GET, and sends the rest by POST.
        const asked = [String(input), init.body]
        if (hasKey && asked.join().includes('${projectPlaceholder}')) {
          const listed = await send('/api/mcp/projects?limit=1', { headers })
          const { projects = [] } = await listed.json()
          const fill = (text) => text?.replaceAll('${projectPlaceholder}', projects[0].id)
          if (projects[0]) asked.splice(0, 2, ...asked.map(fill))
        }
        const response = await send(asked[0], { ...init, body: asked[1], headers })
        if (response.status !== 401 && used) sessionStorage.setItem(kept, used)
        else if (used === sessionStorage.getItem(kept)) sessionStorage.removeItem(kept)
        return response
      }`

/**
 * GraphiQL as one page with inlined scripts, styles and editor workers. `#code=…` or `#key=sgl_…` in the
 * address fills the Authorization header. The key goes to this service alone, and neither the address nor the disk keeps it.
 */
async function graphiqlPage(): Promise<string> {
  // Nine megabytes: loaded at the first request, not at the start.
  const { css, js, editorWorkerService, jsonWorker, graphqlWorker, favicon } = await import(
    '@graphql-yoga/render-graphiql/graphiql'
  )
  const headers = JSON.stringify({ Authorization: `Bearer ${keyPlaceholder}` }, null, 2)
  const options = {
    title: 'Sightline GraphiQL',
    endpoint: '/graphql',
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: 'headers',
    headers,
    defaultTabs: exampleQueries.map(({ query, variables }) => ({ query, variables, headers })),
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
      ${js};
      ${pageKeyScript}
      ;(async () => {
      const key = await pageKey
      ${keptKey}
      const options = JSON.parse(
        JSON.stringify(${inScript(options)}).replaceAll('${keyPlaceholder}', key ?? '${keyPlaceholder}'),
      )
      // Without a query GraphiQL shows returning visitors an empty tab.
      const asked = new URLSearchParams(location.search).get('query')
      options.query = asked ?? options.defaultTabs[0].query
      YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), options)
      ${accessible}
      })()
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
