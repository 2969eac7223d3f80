/** The style of the launcher, and the colors of all of the widget. */
export const css = `:host{all:initial!important}*{box-sizing:border-box}
.w{--p:#14532d;--on:#fff;--bg:#fff;--ink:#1b1f1d;--quiet:#59615c;--line:#d5d9d6;font:15px/1.45 system-ui,sans-serif;color:var(--ink)}
.w[data-theme=dark]{--bg:#171b19;--ink:#eef2ef;--quiet:#a3ada7;--line:#343b37}
@media(prefers-color-scheme:dark){.w[data-theme=auto]{--bg:#171b19;--ink:#eef2ef;--quiet:#a3ada7;--line:#343b37}}
button{font:inherit;color:inherit;border:0;background:none;cursor:pointer;min-width:44px;min-height:44px;padding:0}
.l{position:fixed;z-index:2147483000;display:flex;align-items:center;gap:8px;min-width:56px;min-height:56px;padding:0 15px;border-radius:28px;background:var(--p);color:var(--on);box-shadow:0 4px 16px #0005}
.l img,.l svg{width:26px;height:26px;display:block}
.l>span:empty{display:none}.l b{position:absolute;top:-4px;inset-inline-end:-4px;min-width:22px;padding:0 6px;border-radius:11px;background:#b00020;color:#fff;font:700 13px/22px system-ui}
.v{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:focus-visible{outline:3px solid #3b82f6;outline-offset:2px}[hidden]{display:none!important}
@media(forced-colors:active){.l,.p{border:1px solid}}`
