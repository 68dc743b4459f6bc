import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import '@mantine/core/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { keepPreviousData, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { language } from '../web/share/locale.ts'
import { App } from './app.tsx'
import { ShellDocument } from './documents.ts'
import { pages } from './pages/pages.ts'
import { askedOf, placeOf } from './state/address.ts'
import { prefetch } from './state/ask.ts'
import { AskError } from './state/ask-error.ts'
import { isSignedIn, readAddress } from './state/session.ts'
import './style.css'
import { t } from './texts/texts.ts'
import { theme, variables } from './theme.ts'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      // The numbers of before stay on the page while those of another date range are on their way.
      placeholderData: keepPreviousData,
      // What the graph refuses stays refused, unless other reports were in the way.
      retry: (count, error) => {
        const isFinal = error instanceof AskError && error.code !== 'rate_limited'
        return !isFinal && count < 2
      },
    },
  },
})

const Messages = lazy(async () => ({ default: (await import('./parts/messages.tsx')).Messages }))

const schemes = localStorageColorSchemeManager({ key: 'sightline-scheme' })

/** The policy of the page allows the style elements that carry the nonce of this response. */
const nonceOf = () =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

/** Asks what the page of the address asks first. Its code and the answer to who reads it are on the way meanwhile. */
async function askFirst(load: (typeof pages)[number]['load'] | undefined): Promise<void> {
  if (!isSignedIn()) return
  prefetch(ShellDocument, {})(client)
  const { project, detail } = placeOf(location.pathname)
  const { opening } = (await load?.()) ?? {}
  if (project) opening?.({ ...askedOf(location.search), project, detail })?.(client)
}

// Dialogs stop the page from scrolling by a style element of their own.
setNonce(nonceOf())
document.documentElement.lang = language
const root = document.querySelector('#root')
if (root) {
  const opened = placeOf(location.pathname).page
  const page = pages.find(({ name }) => name === opened) ?? pages[0]
  // With the first request of the session, not after it.
  void page?.load().catch(() => undefined)
  const isKnown = await readAddress().catch(() => false)
  void askFirst(page?.load).catch(() => undefined)
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
      getStyleNonce={nonceOf}
    >
      <QueryClientProvider client={client}>
        <ModalsProvider>
          <Suspense>
            <Messages />
          </Suspense>
          <App notice={isKnown ? undefined : t.signIn.usedCode} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
