// The part of the widget that every page loads: the launcher, the control functions, and the import of other parts.
// The build makes it a classic script, because a plain script tag loads it.

import type { Control } from './context.ts'
import { Widget } from './launcher/widget.ts'

declare global {
  interface Window {
    ChatWidget?: Control
  }
}

const script = document.currentScript as HTMLScriptElement | null
if (!window.ChatWidget && script) {
  const widget = new Widget(script)
  window.ChatWidget = widget.control()
  if (document.body) widget.begin()
  else addEventListener('DOMContentLoaded', () => widget.begin())
}
