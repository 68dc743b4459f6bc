import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { language } from '../web/share/locale.ts'
import { App } from './app.tsx'
import { applyScheme } from './parts/shell.tsx'
import { AskError } from './state/ask.ts'
import { readAddress } from './state/session.ts'
import './style.css'
import { t } from './texts/texts.ts'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      // What the graph refuses stays refused, unless other reports were in the way.
      retry: (count, error) => {
        const isFinal = error instanceof AskError && error.code !== 'rate_limited'
        return !isFinal && count < 2
      },
    },
  },
})

applyScheme()
document.documentElement.lang = language
const root = document.querySelector('#root')
if (root) {
  const known = await readAddress().catch(() => false)
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <App notice={known ? undefined : t.signIn.usedCode} />
    </QueryClientProvider>,
  )
}
