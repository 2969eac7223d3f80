import { useState } from 'preact/hooks'
import { showToast } from './toasts.tsx'

/** A button that copies a text. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    } catch {
      showToast('The browser does not allow copying', text)
    }
  }
  return (
    <button type="button" class="copy" onClick={copy} title={label} aria-label={label}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  )
}

/** A text with a button that copies it. */
export function Copyable({ text, name }: { text: string; name: string }) {
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} label={`Copy ${name}`} />
    </span>
  )
}
