import { timeText } from '../format.ts'
import { useView } from '../live.ts'
import { Card, Code, Empty, Loaded, Page, Select } from '../parts/layout.tsx'
import type { PageProps } from './index.tsx'

/** Emails of the gateway and the chat: the world has no mail server, so they are kept and shown here. */
export function MailsPage({ route }: PageProps) {
  const environment = route.query['environment'] === 'sandbox' ? 'sandbox' : 'production'
  const live = useView('mails', { environment })
  const profile = environment === 'sandbox' ? ' --profile local.demo-sbx' : ''
  const options = [
    ['production', 'production'],
    ['sandbox', 'sandbox'],
  ] as const
  return (
    <Page title="Mails" tools={<Select label="Environment" name="environment" value={environment} options={options} />}>
      <Loaded live={live}>
        {({ mails }) =>
          mails.length === 0 ? (
            <Empty>
              No emails yet. Subscribers by email get the links to their bills this way:{' '}
              <code>countroom subscriptions plans create Gold 9.99 usd{profile}</code>, then{' '}
              <code>countroom subscriptions create PLAN --email ann@mail.example{profile}</code>
            </Empty>
          ) : (
            mails.map((mail) => (
              <Card key={mail.id} title={mail.subject}>
                <p class="note">
                  To {mail.to}, {timeText(mail.at)}
                </p>
                <Code text={mail.body} label={`Email to ${mail.to}`} />
              </Card>
            ))
          )
        }
      </Loaded>
    </Page>
  )
}
