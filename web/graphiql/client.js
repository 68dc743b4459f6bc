// Runs in the page of GraphiQL, behind its own script and `pageKeyScript`, which gives `kept`, `pageKey` and `link`.
// `sightline` is what the page was made with.

const { endpoint, placeholderKey, placeholderProject, labels, options } = sightline

const usedLink = {
  message: 'This link was used. Run `npx sightline open` for a new one.',
  howToFix:
    'Run `npx sightline open --graphiql` where the service runs, and open the address that it prints.',
}
const noKey = {
  message: 'There is no API key yet.',
  howToFix: `Sign in to the dashboard, run \`npx sightline open --graphiql\`, or put a key in the place of ${placeholderKey} under "Headers".`,
}
const emptyTab = {
  message: 'This tab is empty. Write a query, or choose a tab with an example.',
  howToFix:
    'Start with { projects { nodes { name } } }. Ctrl-Space lists the fields at the cursor.',
}

/** What a request lacks, when it goes without a key. */
const lackOf = () => (link.isUsed ? usedLink : noKey)

const line = document.createElement('p')
line.className = 'sightline-status'
line.setAttribute('role', 'status')

let runs = 0

/** Writes the line of one run. A later run, or another tab, silences the run. */
function newLine() {
  runs += 1
  const own = runs
  return (...parts) => {
    if (own === runs) line.textContent = parts.filter(Boolean).join(' · ')
  }
}

const timeOf = () => new Date().toLocaleTimeString()

/** What the document cost, and what is left of the minute. */
function budgetOf({ headers }) {
  const cost = headers.get('X-Query-Cost')
  const left = headers.get('X-RateLimit-Remaining')
  const limit = headers.get('X-RateLimit-Limit')
  return [cost && `Cost ${cost}`, left && `${left} of ${limit} left this minute`]
}

/** The headers of a request with its key: that of the editor, else the one that the tab keeps. */
function withKey(given) {
  const headers = new Headers(given)
  const own = /^Bearer (sgl_[0-9A-Za-z]+)$/.exec(headers.get('Authorization') ?? '')?.[1]
  const key = own ?? sessionStorage.getItem(kept)
  if (key) headers.set('Authorization', `Bearer ${key}`)
  // A browser that is signed in to the dashboard sends its session in a cookie.
  else headers.delete('Authorization')
  return { headers, key, hasKey: Boolean(key) }
}

/** Keeps a key that the service accepted, so that a reload needs none, and forgets one that it refused. */
function keep(key, { status }) {
  if (!key) return
  if (status !== 401) sessionStorage.setItem(kept, key)
  else if (key === sessionStorage.getItem(kept)) sessionStorage.removeItem(kept)
}

/** The body of a request, with the first project of the reader for the placeholder. */
async function bodyOf(asked, { headers }) {
  const body = JSON.stringify(asked)
  if (!body.includes(placeholderProject)) return body
  headers.set('Content-Type', 'application/json')
  const question = JSON.stringify({ query: '{ projects(first: 1) { nodes { id } } }' })
  const response = await fetch(endpoint, { method: 'POST', headers, body: question })
  const { data } = await response.json()
  const [project] = data?.projects.nodes ?? []
  return project ? body.replaceAll(placeholderProject, project.id) : body
}

/** Whether the last request was refused because it went without a key and without a session. */
let lacksKey = false

/** The answer of the service. One without a key says how to get one. */
async function readAnswer(response, { hasKey }) {
  const answer = await response.json()
  lacksKey = response.status === 401 && !hasKey
  if (!lacksKey) return answer
  Object.assign(answer.errors[0], { message: lackOf().message })
  answer.errors[0].extensions.howToFix = lackOf().howToFix
  return answer
}

/** A problem of this page, in the shape of those of the service. */
const problem = ({ message, howToFix }) => ({ errors: [{ message, extensions: { howToFix } }] })

const unreachable = () =>
  problem({
    message: 'The service does not answer.',
    howToFix: 'Look whether `npx sightline serve` still runs, then run the document again.',
  })

async function ask(asked, access, say) {
  const begun = performance.now()
  const body = await bodyOf(asked, access)
  access.headers.set('Content-Type', 'application/json')
  access.headers.set('Accept', 'application/graphql-response+json, application/json')
  const response = await fetch(endpoint, { method: 'POST', headers: access.headers, body })
  keep(access.key, response)
  const answer = await readAnswer(response, access)
  const refused = response.ok ? '' : `Refused with ${response.status}`
  say(refused, ...budgetOf(response), `${Math.round(performance.now() - begun)} ms`, timeOf())
  return answer
}

/** The events of a subscription, counted in the line below the answer. */
async function listen(asked, access, say) {
  const { query, variables, operationName } = JSON.parse(await bodyOf(asked, access))
  let refused
  let budget = []
  let count = 0
  const counted = () => `${count} ${count === 1 ? 'event' : 'events'}`
  say('Connecting…')
  const client = graphqlSse.createClient({
    url: endpoint,
    retryAttempts: 0,
    headers: Object.fromEntries(access.headers),
    fetchFn: async (...request) => {
      const response = await fetch(...request)
      keep(access.key, response)
      budget = budgetOf(response)
      if (!response.ok) refused = await readAnswer(response, access)
      else say('Listening…', counted(), ...budget)
      return response
    },
  })
  const events = client.iterate({ query, variables, operationName })
  let isOver = false
  const end = (why) => {
    if (!isOver) say(why, counted(), ...budget, timeOf())
    isOver = true
    client.dispose()
    return { done: true, value: undefined }
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      try {
        const event = await events.next()
        if (event.done) return end('Ended')
        count += 1
        say('Listening…', counted(), `the last at ${timeOf()}`, ...budget)
        return event
      } catch {
        end('Ended')
        // Given once: the next turn finds the stream ended.
        const value = refused ?? unreachable()
        events.return()
        return { done: false, value }
      }
    },
    async return() {
      const ended = end('Stopped')
      await events.return()
      return ended
    },
  }
}

async function fetcher(asked, { headers, documentAST } = {}) {
  const operations =
    documentAST?.definitions.filter(({ kind }) => kind === 'OperationDefinition') ?? []
  const { operation } =
    operations.find(({ name }) => name?.value === asked.operationName) ?? operations[0] ?? {}
  if (asked.query.replaceAll(/#.*/g, '').trim() === '') return problem(emptyTab)
  const access = withKey(headers)
  // GraphiQL reads the schema by itself, which is no run.
  const say = asked.operationName === 'IntrospectionQuery' ? () => {} : newLine()
  try {
    return await (operation === 'subscription' ? listen : ask)(asked, access, say)
  } catch {
    say('')
    return unreachable()
  }
}

/** The disk of the browser, which gets no key: the history of GraphiQL holds the headers of each run. */
const storage = {
  getItem: (name) => localStorage.getItem(name),
  removeItem: (name) => localStorage.removeItem(name),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length
  },
  setItem(name, value) {
    localStorage.setItem(name, value.replaceAll(/sgl_(?!YOUR_KEY)[0-9A-Za-z]+/g, placeholderKey))
  },
}

/**
 * GraphiQL puts buttons into ARIA tabs, where screen readers do not find them. This makes them a list of buttons with
 * a current one, and names each editor. It also shows the line below the answer, and why the docs are not there.
 */
function fix() {
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
  const answer = document.querySelector('.graphiql-response')
  if (answer && line.parentElement !== answer) answer.append(line)
  const fault = document.querySelector('.graphiql-doc-explorer-error')
  const { message } = lackOf()
  if (fault && lacksKey && fault.textContent !== message) fault.textContent = message
}

let shown

/** Called with each edit too: another tab has no line yet, and an empty one has a hint. */
function onTabChange({ tabs, activeTabIndex }) {
  const { id, query } = tabs[activeTabIndex]
  if (shown !== undefined && shown !== id) newLine()('')
  shown = id
  document.body.toggleAttribute('data-empty-tab', !query?.trim())
}

pageKey.then((key) => {
  if (link.isUsed && !key) newLine()(usedLink.message)
  const filled = JSON.stringify(options).replaceAll(placeholderKey, key ?? placeholderKey)
  const root = document.querySelector('#root')
  // Without a query GraphiQL shows returning visitors an empty tab.
  const asked = new URLSearchParams(location.search)
  const query = asked.get('query') ?? options.defaultTabs[0].query
  const initialVariables = asked.get('variables')
  YogaGraphiQL.renderYogaGraphiQL(root, {
    ...JSON.parse(filled),
    query,
    ...(initialVariables && { initialVariables }),
    fetcher,
    storage,
    onTabChange,
  })
  new MutationObserver(fix).observe(root, {
    childList: true,
    subtree: true,
    attributeFilter: ['role', 'aria-selected', 'aria-label', 'class'],
  })
})
