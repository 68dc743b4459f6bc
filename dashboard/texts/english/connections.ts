import { count } from '../../../web/share/numbers.ts'

/** Texts of the connections to Google and Bing. */
export const connections = {
  title: 'Google and Bing',
  lead: 'Search Console and Google Analytics 4 load every day, after the last 16 months.',
  noHttps:
    'Google leads people back to an https address only, or to this computer. Set PUBLIC_URL to the https address of Sightline.',
  client: 'Your OAuth client',
  clientLead:
    'Google lets you read your own data through a client of your own. You create it once, in about five minutes.',
  steps: [
    'Open console.cloud.google.com and create a project, or choose one that you have.',
    'Under APIs & Services, Library, enable “Google Search Console API”, “Google Analytics Data API” and “Google Analytics Admin API”.',
    'Under OAuth consent screen, choose Internal where your Google Workspace allows it. Otherwise choose External and publish the app: in the status “Testing” Google ends each sign-in after 7 days.',
    'Under Credentials, choose Create credentials, OAuth client ID, Web application, and add this address under Authorized redirect URIs:',
    'Copy the client ID and the client secret that Google shows, and paste them here:',
  ],
  redirectUri: 'redirect URI',
  clientId: 'Client ID',
  clientIdExample: '123456789-abc.apps.googleusercontent.com',
  secret: 'Client secret',
  secretHint: 'It is stored encrypted and never shown again.',
  saveClient: 'Save client',
  replaceClient: 'Replace the client',
  removeClient: 'Remove client',
  removeClientAsk:
    'All Google accounts of this workspace are removed, and nothing more is loaded. Loaded data stays.',
  signIn: 'Sign in with Google',
  signInAgain: 'Sign in again',
  accounts: 'Google accounts',
  noAccounts: 'Sign in with the Google account that can read your Search Console and Analytics.',
  account: 'Account',
  state: 'State',
  signedIn: 'Signed in',
  ended: (at: string) => `Google ended the access ${at} UTC. Sign in again.`,
  removeAccount: 'Remove',
  removeAccountAsk:
    'Sightline loads nothing more through this account, and asks Google to end the access. Loaded data stays.',
  feeds: (project: string) => `Data of ${project}`,
  feedsLead:
    'Each project reads one Search Console site, one site of Bing and one Analytics property.',
  noFeeds: 'Nothing is loaded yet. Choose a site or a property.',
  source: 'Source',
  kinds: {
    search_console: 'Search Console',
    bing_webmaster: 'Bing Webmaster Tools',
    web_analytics: 'Google Analytics 4',
  },
  property: 'Site or property',
  backfilling: (loaded: number, total: number) =>
    `Loading: ${count(loaded)} of ${count(total)} days`,
  current: 'Up to date',
  failing: (since: string) => `Failing since ${since} UTC`,
  queued: 'Queued',
  days: 'Days',
  period: (from: string, to: string) => `${from} – ${to}`,
  rows: 'Rows',
  next: 'Next (UTC)',
  pullNow: 'Load now',
  stop: 'Stop',
  stopAsk: 'Nothing more is loaded. The data that is there stays.',
  choose: 'Choose what to load',
  choosing: 'Asking Google…',
  site: 'Search Console site',
  analytics: 'Analytics property',
  none: 'Google lists none for this account.',
  load: 'Load data',
  loading: (name: string) => `${name} is loading. The last 28 days come first.`,
  failed: 'This did not work',
  bing: {
    title: 'Bing Webmaster Tools',
    lead: 'Bing reports the site by day, and its queries and pages by week. All that Bing has loads first, then each day what is new.',
    steps:
      'In Bing Webmaster Tools open Settings, API access, API key, generate the key, and paste it here. It reads every site of that account.',
    key: 'API key',
    keyHint:
      'Bing is asked whether it knows the key. It is stored encrypted and never shown again.',
    save: 'Save key',
    works: (end: string) => `The key that ends with ${end} works.`,
    ended: (end: string, at: string) =>
      `Bing refuses the key that ends with ${end} since ${at} UTC. Paste the current one.`,
    replace: 'Replace the key',
    remove: 'Remove key',
    removeAsk:
      'Nothing more is loaded from Bing for any project of this workspace. Loaded data stays.',
    choose: 'Choose a site',
    site: 'Site of Bing',
    none: 'Bing lists no verified site for this key.',
    loading: (name: string) => `${name} is loading.`,
  },
} as const
