import { changeReceiver } from '../../api.ts'
import { prettyJson, timeText } from '../../format.ts'
import { useView } from '../../live.ts'
import { useMerchant, useTenant } from '../../parties.ts'
import { ActionForm } from '../../parts/action.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Card, Code, Empty, Facts, Loaded, Page, Select } from '../../parts/layout.tsx'
import { showToast } from '../../parts/toasts.tsx'
import type { PageProps } from '../index.tsx'

const statuses = [200, 204, 400, 401, 404, 410, 429, 500, 503]

function change(to: Parameters<typeof changeReceiver>[0]): void {
  changeReceiver(to).catch((error: unknown) =>
    showToast('The receiver was not changed', String(error instanceof Error ? error.message : error)),
  )
}

/** A receiver of callbacks, to inspect what a real one would get. */
export function ReceiverPage({ route }: PageProps) {
  const tenant = useTenant(route)
  const merchant = useMerchant(route)
  const live = useView('receiver', {})
  return (
    <Page
      title="Receiver"
      tools={
        <>
          <Select label="Tenant" name="tenant" value={tenant.code} options={tenant.options} />
          <Select label="Merchant" name="merchant" value={merchant.id} options={merchant.options} />
        </>
      }
    >
      <Loaded live={live}>
        {({ url, status, received }) => (
          <>
            <div class="grid">
              <Card title="Address">
                <Facts facts={[['URL', <Copyable key="url" text={url} name="the URL of the receiver" />]]} />
                <label class="select">
                  <span>Answers with</span>
                  <select value={status} onChange={(e) => change({ status: Number(e.currentTarget.value) })}>
                    {statuses.map((each) => (
                      <option key={each} value={each}>
                        {each}
                      </option>
                    ))}
                  </select>
                </label>
                <button type="button" class="quiet" onClick={() => change({ clear: true })}>
                  Clear the list
                </button>
              </Card>
              <Card title="Webhooks">
                <ActionForm key={tenant.code} name="webhook.set" given={{ tenant: tenant.code }} initial={{ url }} />
                <ActionForm key={`test ${tenant.code}`} name="webhook.test" given={{ tenant: tenant.code }} />
              </Card>
              <Card title="IPNs">
                <ActionForm
                  key={merchant.id}
                  name="merchant.ipn-url"
                  given={{ merchant: merchant.id }}
                  initial={{ url }}
                />
                <ActionForm key={`test ${merchant.id}`} name="merchant.ipn-test" given={{ merchant: merchant.id }} />
              </Card>
            </div>
            {received.length === 0 ? (
              <Empty>Nothing arrived yet. Send webhooks or IPNs here with the forms above, then send a test.</Empty>
            ) : (
              received.map((each) => (
                <Card key={each.id} title={`${each.method} at ${timeText(each.at)}, answered ${each.status}`}>
                  <details>
                    <summary>Headers</summary>
                    <Code
                      text={Object.entries(each.headers)
                        .map(([name, value]) => `${name}: ${value}`)
                        .join('\n')}
                      label={`Headers of request ${each.id}`}
                    />
                  </details>
                  {each.body === null ? (
                    <p class="note">The body is larger than 256 KiB, so it was not kept.</p>
                  ) : (
                    <Code text={prettyJson(each.body)} label={`Body of request ${each.id}`} />
                  )}
                </Card>
              ))
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
