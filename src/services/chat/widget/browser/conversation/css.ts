/** The style of the conversation. The launcher's style, which defines the colors, is in the loader. */
export const css = `.p{position:fixed;z-index:2147483001;display:flex;flex-direction:column;width:min(370px,calc(100vw - 24px));height:min(560px,calc(100vh - 110px));background:var(--bg);border-radius:16px;overflow:hidden;box-shadow:0 10px 40px #0006}
@media(max-width:480px),(max-height:480px){.p{inset:0!important;width:100vw;height:100%;border-radius:0}}
.h{display:flex;flex:none;align-items:center;padding:4px;padding-inline-start:16px;background:var(--p);color:var(--on)}.h div{flex:1;min-width:0}.h p{margin:0;font-size:13px}
h2{display:flex;align-items:center;gap:8px;font:600 16px/1.3 system-ui;margin:0;overflow-wrap:anywhere}
.s,.y{margin:0;padding:4px 16px;font-size:13px;color:var(--quiet)}.s{border-bottom:1px solid var(--line)}.s:empty{padding:0;border:0}
.y{height:27px;flex:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.g{flex:1;overflow-y:auto;padding:12px 12px 0;display:flex;flex-direction:column}.g:focus-visible{outline-offset:-3px}ul{list-style:none;margin:auto 0 0;padding:0;display:flex;flex-direction:column;gap:8px}
li{max-width:85%;padding:8px 12px;border-radius:14px;border:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere}
.m{align-self:flex-end;background:var(--p);color:var(--on);border:0;border-end-end-radius:4px}.t{align-self:flex-start;border-end-start-radius:4px}.e{align-self:center;border:0;color:var(--quiet);font-size:13px;text-align:center}.j::first-letter{text-transform:uppercase}
small{display:block;color:var(--quiet);font-size:12px}.m small{color:inherit}li a img{display:block;max-width:100%;max-height:220px;height:auto;border-radius:8px}a{color:inherit}li button,.o{display:block;text-decoration:underline}
.o{color:var(--quiet);flex:none}
.d{align-self:center;flex:none;margin:-52px 0 8px;padding:0 16px;border-radius:22px;border:1px solid var(--quiet);background:var(--bg);color:var(--ink);box-shadow:0 2px 8px #0006;z-index:1}
.r{padding:16px;font-size:15px;color:var(--ink)}
@media(max-height:480px){.y:empty{padding:0;height:8px}}
.f{display:flex;align-items:flex-end;gap:8px;padding:8px;border-top:1px solid var(--line)}
textarea{flex:1;min-width:0;font:inherit;font-size:16px;color:inherit;background:transparent;border:1px solid var(--quiet);border-radius:10px;padding:10px;resize:none;min-height:44px;max-height:120px;field-sizing:content}textarea::placeholder{color:var(--quiet);opacity:1}
.x{font-size:22px;line-height:1}.b{padding:0 14px;border-radius:10px;background:var(--p);color:var(--on);font-weight:600}
@media(prefers-reduced-motion:no-preference){.p{animation:i .15s ease-out}}@keyframes i{from{transform:translateY(8px)}}`
