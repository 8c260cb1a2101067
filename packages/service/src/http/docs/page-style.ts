/** Style of the pages of the service: one column on a phone, no outside file. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:#0b7285}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:68rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:.2rem 0}h2{margin:2rem 0 .5rem;text-transform:capitalize}h4{margin:1rem 0 .3rem}a{color:var(--accent)}
@media (prefers-color-scheme:dark){:root{--accent:#3bc9db}}
input,textarea{font:inherit;padding:.5rem .6rem;border:1px solid var(--line);border-radius:6px;width:100%;background:transparent;color:inherit}
button{font:inherit;min-height:2.75rem;padding:.3rem 1rem;border-radius:6px;border:1px solid var(--accent);background:var(--accent);color:Canvas;cursor:pointer}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem}nav a{padding:.4rem 0;text-transform:capitalize}
.find{position:sticky;top:0;padding:.6rem 0;background:Canvas;z-index:1}
form{display:grid;grid-template-columns:2fr 2fr 1fr;gap:.6rem;margin:.6rem 0}
details{border:1px solid var(--line);border-radius:8px;margin:.4rem 0}
summary{cursor:pointer;padding:.6rem .7rem;display:flex;gap:.2rem .7rem;align-items:baseline;flex-wrap:wrap}
details>div{padding:0 .9rem .8rem}.m{font:600 12px ui-monospace,monospace;color:Canvas;background:var(--accent);border-radius:4px;padding:.1rem .45rem}
code,pre,textarea{font:14px/1.45 ui-monospace,monospace}textarea{font-size:16px}
pre{background:var(--soft);padding:.6rem;border-radius:6px;overflow:auto;max-height:28rem;margin:.3rem 0}
.p{font-family:ui-monospace,monospace}.s{opacity:.75}.hide{display:none}
table{border-collapse:collapse;width:100%}th{text-align:left}td,th{border-top:1px solid var(--line);padding:.3rem .5rem;vertical-align:top}
@media (max-width:40rem){
body{padding:.7rem}form{grid-template-columns:1fr}
table,tbody,tr,td{display:block;width:100%}thead{display:none}tr{border-top:1px solid var(--line);padding:.4rem 0}td{border:0;padding:.1rem 0}
}`;
