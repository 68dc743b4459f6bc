import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/dropzone/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import { keepPreviousData, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { language } from '../web/share/locale.ts'
import { App } from './app.tsx'
import { pages } from './pages/pages.ts'
import { AskError } from './state/ask-error.ts'
import { readAddress } from './state/session.ts'
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

const schemes = localStorageColorSchemeManager({ key: 'sightline-scheme' })

/** The policy of the page allows the style elements that carry the nonce of this response. */
const nonceOf = () =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// Dialogs stop the page from scrolling by a style element of their own.
setNonce(nonceOf())
document.documentElement.lang = language
const root = document.querySelector('#root')
if (root) {
  // With the first request of the session, not after it.
  const [, , , opened] = location.pathname.split('/')
  const page = pages.find(({ name }) => name === opened) ?? pages[0]
  void page?.load().catch(() => undefined)
  const isKnown = await readAddress().catch(() => false)
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
          <Notifications position="bottom-center" />
          <App notice={isKnown ? undefined : t.signIn.usedCode} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
