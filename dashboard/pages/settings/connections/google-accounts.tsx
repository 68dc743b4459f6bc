import { Button, Group, Text } from '@mantine/core'
import { IconBrandGoogle } from '@tabler/icons-react'
import {
  BeginGoogleSignInDocument,
  type DataConnectionsQuery,
  RemoveGoogleAccountDocument,
} from '../../../documents.ts'
import { Fault } from '../../../parts/act.tsx'
import { actColumn, textColumn } from '../../../parts/columns.tsx'
import type { Asked } from '../../../parts/panel.tsx'
import { type Column, Part } from '../../../parts/table.tsx'
import { useChange } from '../../../state/change.ts'
import { connections as texts } from '../../../texts/english/connections.ts'
import { t } from '../../../texts/texts.ts'

export type GoogleAccount = NonNullable<
  NonNullable<DataConnectionsQuery['project']>['workspace']['googleAccounts']
>['nodes'][number]

/** What the parts about accounts and feeds share. */
export interface GooglePart {
  readonly project: string
  readonly workspace: string
  readonly accounts: readonly GoogleAccount[]
  readonly asked: Asked<DataConnectionsQuery, { project: string }>
}

const stateText = ({ endedAt }: GoogleAccount) =>
  endedAt ? texts.ended(t.moment(endedAt)) : texts.signedIn

const columnsOf = (workspace: string): readonly Column<GoogleAccount>[] => [
  textColumn(texts.account, ({ email }) => email),
  textColumn(texts.state, stateText, (account) => (
    <Text size="sm" c={account.endedAt ? 'red' : 'teal'} fw={600}>
      {stateText(account)}
    </Text>
  )),
  actColumn(t.columns.actions, RemoveGoogleAccountDocument, ({ id, email }) => ({
    label: texts.removeAccount,
    of: email,
    document: RemoveGoogleAccountDocument,
    variables: { workspace, account: id },
    confirm: texts.removeAccountAsk,
  })),
]

/** The accounts that people have signed in with, and the way to Google's page. */
export function Accounts({ project, workspace, accounts, asked }: GooglePart) {
  const begin = useChange(BeginGoogleSignInDocument)
  const signIn = () =>
    begin.mutate(
      { workspace, project },
      {
        onSuccess: ({ beginGoogleSignIn: begun }) => {
          if (begun && 'url' in begun) location.assign(begun.url)
        },
      },
    )
  return (
    <Part
      title={texts.accounts}
      empty={texts.noAccounts}
      asked={asked}
      columns={columnsOf(workspace)}
      rows={accounts}
      keyOf={({ id }) => id}
      after={
        <>
          <Group mt="sm">
            <Button
              leftSection={<IconBrandGoogle size={16} />}
              loading={begin.isPending}
              onClick={signIn}
            >
              {accounts.some(({ endedAt }) => endedAt) ? texts.signInAgain : texts.signIn}
            </Button>
          </Group>
          <Fault error={begin.error} />
        </>
      }
    />
  )
}
