/** The style of chosen files and of the enlarged picture. */
export const css = `progress{width:100%}.u{display:flex;flex:none;gap:8px;padding:8px 12px;overflow-x:auto;border-top:1px solid var(--line)}
.u figure{display:flex;flex:none;align-items:center;gap:8px;width:230px;margin:0;padding:6px;border:1px solid var(--line);border-radius:10px;background:var(--bg)}
.u figure.bad{border-color:#b3261e}.u canvas,.u i{flex:none;width:44px;height:44px;border-radius:6px;background:var(--line);object-fit:cover;font:600 11px/44px system-ui;text-align:center;overflow:hidden;text-transform:uppercase}
.u figcaption{flex:1;min-width:0;font-size:13px}.u figcaption b{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:600}.u figcaption span{color:var(--quiet)}.u .bad span{color:var(--ink)}
.z{width:100vw;max-width:none;height:100%;max-height:none;margin:0;padding:0;border:0;background:#000e;color:#fff;overflow:hidden}.z[open]{display:flex;flex-direction:column}.z::backdrop{background:none}
.z header{display:flex;flex:none;align-items:center;gap:4px;padding:4px 4px 4px 16px}.z header span{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.z a{display:flex;align-items:center;min-height:44px;padding:0 8px;color:#fff}
.z img{flex:1;min-height:0;max-width:100%;margin:auto;object-fit:contain;padding:0 0 12px}.z button{font-size:22px}.z :focus-visible{outline-color:#fff}
@media(max-height:480px){.u{padding:4px 12px}}`
