/** The pages' only style sheet. Their content security policy allows it by its hash. */
export const docsStyle = `
:root{color-scheme:light dark;--ink:light-dark(#1b1d22,#e6e7ea);--soft:light-dark(#5a606b,#a4aab5);--ground:light-dark(#fff,#15171b);--raised:light-dark(#f5f6f8,#1d2026);--line:light-dark(#dcdfe4,#343942);--link:light-dark(#0b57c2,#8ab8ff)}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;display:grid;grid-template-columns:minmax(0,1fr);font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
a{color:var(--link)}a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem}
nav{padding:1rem 1.25rem;background:var(--raised);border-bottom:1px solid var(--line);font-size:.875rem}
nav .apis a{display:block;padding:.15rem 0;font-weight:600}nav a{text-decoration:none}nav [aria-current]{color:var(--ink)}
[hidden]{display:none!important}.away{position:absolute;left:-99rem}
nav h2{font-size:.8rem;color:var(--soft);margin:1.1rem 0 .2rem;text-transform:capitalize}nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.15rem 0;color:var(--ink)}nav li a:hover span{text-decoration:underline}
main{padding:1.5rem 1.25rem 4rem;max-width:62rem;min-width:0}
h1{font-size:1.7rem;line-height:1.2;margin:.2rem 0}h2{font-size:1.3rem;margin:2.2rem 0 .6rem;text-transform:capitalize}h3{font-size:1.1rem;margin:0 0 .3rem}h4{font-size:.9rem;margin:1.1rem 0 .3rem}
article{border:1px solid var(--line);border-radius:.6rem;padding:1.1rem 1.2rem;margin:1rem 0}
.quiet{color:var(--soft);font-size:.875rem;font-weight:400}.line{display:flex;flex-wrap:wrap;gap:.6rem;align-items:baseline;margin:.2rem 0}
code,pre{font:.875em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}th code{overflow-wrap:break-word}pre{background:var(--raised);border:1px solid var(--line);border-radius:0 0 .4rem .4rem;padding:.8rem;overflow:auto;margin:0;max-height:26rem;overflow-wrap:normal}pre code{overflow-wrap:normal}
.m{font:600 .7rem/1.5 ui-monospace,monospace;min-width:3.4rem;color:light-dark(#1d5c2f,#8fd6a4)}.post,.put,.patch{color:light-dark(#8a4a00,#f0bd7c)}.delete{color:light-dark(#a11d2b,#ff9aa4)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line);font-weight:400}thead th{font-weight:600;color:var(--soft);font-size:.8rem}
.scroll td code{overflow-wrap:anywhere}
figure{margin:.8rem 0}figcaption{display:flex;justify-content:space-between;align-items:center;gap:1rem;min-height:2rem;padding:.2rem .3rem .2rem .8rem;border:1px solid var(--line);border-bottom:0;border-radius:.4rem .4rem 0 0;font-size:.8rem;font-weight:600;color:var(--soft)}
button{font:inherit;font-size:.8rem;color:var(--link);background:none;border:1px solid transparent;border-radius:.3rem;padding:.2rem .6rem;min-height:1.75rem;cursor:pointer}button:hover{border-color:var(--line)}button:focus-visible,pre:focus-visible,input:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.languages{display:flex;flex-wrap:wrap;gap:.25rem;margin-top:1.1rem}.languages button[aria-pressed=true]{background:var(--raised);border-color:var(--line);color:var(--ink);font-weight:600}.languages+figure{margin-top:.3rem}
body:has(#language-curl:checked) .sample:not(.curl),body:has(#language-typescript:checked) .sample:not(.typescript),body:has(#language-python:checked) .sample:not(.python),body:has(#language-php:checked) .sample:not(.php){display:none}
.choice{border:0;padding:0;margin:1rem 0 0;display:flex;flex-wrap:wrap;gap:.2rem .9rem}.choice legend{font-size:.8rem;font-weight:600;color:var(--soft);padding:0}.choice label{display:flex;gap:.35rem;align-items:center;min-height:1.75rem}
search{display:block;margin:1rem 0 .5rem}search label{font-size:.8rem;font-weight:600;color:var(--soft)}search input{display:block;width:100%;font:inherit;font-size:1rem;color:inherit;background:var(--ground);border:1px solid light-dark(#868d99,#7a8290);border-radius:.4rem;padding:.45rem .6rem}search output{display:block;margin-top:.4rem;font-size:.8rem;color:var(--soft);min-height:1.2rem}
nav summary{font-weight:600;padding:.3rem 0}.vector h3{margin-top:1.4rem}
.index main{max-width:68rem;margin:0 auto;width:100%}.index h2{text-transform:none;margin-bottom:0}.index p{margin:.2rem 0}.endpoints{list-style:none;padding:0;margin:.6rem 0 0}.endpoints li{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;padding:.3rem 0;border-bottom:1px solid var(--line)}.endpoints a{display:flex;gap:.5rem;align-items:baseline;text-decoration:none;min-width:min(30rem,100%)}.endpoints a:hover code{text-decoration:underline}
:target{outline:2px solid var(--link);outline-offset:3px}summary{cursor:pointer;color:var(--soft);font-size:.875rem}.codes a{display:inline-block;margin:0 .8rem .3rem 0;text-decoration:none}
@media(min-width:60rem){body.api{grid-template-columns:19rem minmax(0,1fr)}.contents>summary{display:none}.contents::details-content{display:contents;content-visibility:visible}nav{border:0;border-right:1px solid var(--line);position:sticky;top:0;height:100vh;overflow:auto}main{padding:2rem 2.5rem 5rem}}
@media print{nav{display:none}article{break-inside:avoid}}
`
