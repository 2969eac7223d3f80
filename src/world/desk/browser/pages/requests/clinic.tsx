import { useState } from 'preact/hooks'
import { useTenant } from '../../parties.ts'
import { ActionForm } from '../../parts/action.tsx'
import { Card, Empty, Facts, Page, Select } from '../../parts/layout.tsx'
import type { PageProps } from '../index.tsx'
import { parseRequest } from './parse-request.ts'

interface Diagnosis {
  readonly lines: readonly { readonly name: string; readonly value: string; readonly bytes: number }[]
  readonly expected: string
  readonly given: string | null
  readonly verdict: 'match' | 'differs' | 'computed'
  readonly signedValue: string | null
  readonly hints: readonly string[]
}

const verdicts = {
  match: 'The signature matches: the casino accepts these bytes.',
  differs: 'The signature differs.',
  computed: 'This is the signature of these bytes.',
} as const

/** `doctor sign` as a page: explains the signature of a pasted request. */
export function ClinicPage({ route }: PageProps) {
  const { code, options } = useTenant(route)
  const [pasted, setPasted] = useState('')
  const [diagnosis, setDiagnosis] = useState<Diagnosis>()
  const parsed = parseRequest(pasted)
  return (
    <Page title="Signature clinic" tools={<Select label="Tenant" name="tenant" value={code} options={options} />}>
      <div class="beside">
        <div>
          <Card title="Paste a request">
            <p class="summary">
              A raw HTTP request or a curl command. Its parts go into the form below. The secret is that of the tenant
              and is never shown.
            </p>
            <label class="wide">
              <span>Request</span>
              <textarea rows={7} spellcheck={false} value={pasted} onInput={(e) => setPasted(e.currentTarget.value)} />
            </label>
            {pasted !== '' && parsed === undefined && (
              <p class="problem" role="alert">
                This is neither a raw HTTP request nor a curl command.
              </p>
            )}
          </Card>
          <Card title="Signed parts">
            <ActionForm
              key={`${code} ${JSON.stringify(parsed ?? {})}`}
              name="signature.check"
              given={{ tenant: code }}
              initial={{ ...parsed }}
              // The result of this action has this form.
              onDone={(result) => setDiagnosis(result as unknown as Diagnosis)}
            />
          </Card>
        </div>
        <Card title="Diagnosis">
          {diagnosis === undefined ? (
            <Empty>Paste a request or fill in the form, then check the signature.</Empty>
          ) : (
            <div role="status">
              <p class={diagnosis.verdict === 'differs' ? 'problem' : 'good'}>{verdicts[diagnosis.verdict]}</p>
              {diagnosis.hints.length > 0 && (
                <ul class="plain">
                  {diagnosis.hints.map((hint) => (
                    <li key={hint}>{hint}</li>
                  ))}
                </ul>
              )}
              <Facts
                facts={[
                  ['Expected', <code key="expected">{diagnosis.expected}</code>],
                  ...(diagnosis.given === null ? [] : [['Given', <code key="given">{diagnosis.given}</code>] as const]),
                  ...diagnosis.lines.map(
                    ({ name, value, bytes }, at) =>
                      [
                        `Line ${at + 1}, ${name}`,
                        <span key={name}>
                          <code>{value}</code> <span class="note">{bytes} bytes</span>
                        </span>,
                      ] as const,
                  ),
                ]}
              />
            </div>
          )}
        </Card>
      </div>
    </Page>
  )
}
