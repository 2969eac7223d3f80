/** The style of a customer's tickets. */
export const css = `.full>*:not(.h):not(.pg){display:none!important}
.pg{flex:1;min-height:0;overflow-y:auto;padding:8px 16px 16px}.pg h3{margin:8px 0;font:600 16px/1.3 system-ui;overflow-wrap:anywhere}.pg p{margin:0 0 8px;white-space:pre-wrap;overflow-wrap:anywhere}
.pg .bar{display:flex;gap:8px;justify-content:space-between}.pg ul{margin:8px 0}.pg li{max-width:none;padding:0;border-radius:10px}.pg li button{display:block;width:100%;padding:8px 12px;text-align:start;text-decoration:none;overflow-wrap:anywhere}.pg small{display:block}
.pg article{padding:8px 12px;margin:0 0 8px;border:1px solid var(--line);border-radius:10px}.pg article p{margin:0}.pg dl{margin:0 0 8px}.pg dt{color:var(--quiet);font-size:13px}.pg dd{margin:0 0 4px;overflow-wrap:anywhere}
.pg label{display:block;margin-bottom:8px}.pg label>span{display:block;font-size:14px}.pg input:not([type=checkbox]),.pg select,.pg textarea{display:block;width:100%;min-height:44px;padding:8px 10px;font:inherit;font-size:16px;color:inherit;background:var(--bg);border:1px solid var(--quiet);border-radius:10px}.pg input[type=checkbox]{width:22px;height:22px;accent-color:var(--p)}
.pg [aria-invalid=true]{border-color:#b3261e;border-width:2px}.pg em{display:block;font-size:13px;font-style:normal}.pg .x{font-size:inherit;padding:0 8px;text-decoration:underline}`
