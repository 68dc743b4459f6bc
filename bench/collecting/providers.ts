// Providers in a process of their own, which answer at once.
import { startProviders } from '../../test/kit/collecting/provider.ts'

const { hosts } = await startProviders()
process.send?.(hosts)
process.once('disconnect', () => process.exit())
