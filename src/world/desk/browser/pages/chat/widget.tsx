import { useState } from 'preact/hooks'
import { useView } from '../../live.ts'
import { useChatTenant } from '../../parties.ts'
import { ActionForm } from '../../parts/action.tsx'
import { Card, Code, Facts, Loaded, Page, Select } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

const languages = 'en zh-Hant zh-Hans ja ko th vi ar es pt id hi tr ru de fr it pl ms fil'.split(' ')

/** A page of a merchant with the widget, and its settings next to it. */
export function WidgetPage({ route }: PageProps) {
  const { code, options } = useChatTenant(route)
  const live = useView('chat.widget', { tenant: code })
  const [lang, setLang] = useState('en')
  const [position, setPosition] = useState('right-bottom')
  const [saved, setSaved] = useState(0)
  return (
    <Page title="Widget" tools={<Select label="Merchant" name="tenant" value={code} options={options} />}>
      <Loaded live={live}>
        {({ tenantKey, origins, look }) => {
          const attributes = { 'tenant-key': tenantKey, 'launcher-position': position }
          const host = `/try/chat?${new URLSearchParams({ key: tenantKey, lang, position })}`
          return (
            <div class="beside">
              <Card title="Page of a merchant" class="host">
                <iframe key={`${host} ${saved}`} title="Page with the widget" src={host} />
                <p class="note">
                  Write as the customer, and reply as the agent on the page{' '}
                  <a href={linkTo('chat/rooms', { tenant: code })}>Rooms</a>.
                </p>
              </Card>
              <div>
                <Card title="On the page">
                  <label class="select">
                    <span>Language</span>
                    <select value={lang} onChange={(e) => setLang(e.currentTarget.value)}>
                      {languages.map((each) => (
                        <option key={each}>{each}</option>
                      ))}
                    </select>
                  </label>
                  <label class="select">
                    <span>Position</span>
                    <select value={position} onChange={(e) => setPosition(e.currentTarget.value)}>
                      <option>right-bottom</option>
                      <option>left-bottom</option>
                    </select>
                  </label>
                  <Code
                    label="Tag of the widget"
                    text={`<script src="${location.origin}/widget.js" async\n${Object.entries(attributes)
                      .map(([name, value]) => `  data-${name}="${value}"`)
                      .join('\n')}></script>`}
                  />
                </Card>
                <Card title="Look of the merchant">
                  <ActionForm
                    key={code}
                    name="widget.set"
                    given={{ tenant: code }}
                    initial={{
                      color: look.primaryColor,
                      theme: look.theme,
                      label: look.launcherLabel ?? undefined,
                      greeting: look.greeting ?? undefined,
                    }}
                    onDone={() => setSaved(saved + 1)}
                  />
                  <Facts facts={[['Allowed origins', origins.length === 0 ? 'all' : origins.join(', ')]]} />
                </Card>
              </div>
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}
