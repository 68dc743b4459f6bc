import { dark, light, readable, type Scheme } from './colours.ts'

function variables(scheme: Scheme, accent: string): string {
  const colours = { ...scheme, accent: readable(accent, scheme) }
  return Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

const rules = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header,footer{max-width:70rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
header{padding-top:clamp(1.75rem,5vw,3.5rem)}
.by{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;color:var(--muted);font-size:.9375rem}
.by img{display:block;max-height:2.5rem;max-width:9rem}
h1{margin:0;font-size:clamp(1.6rem,1.2rem + 2vw,2.5rem);line-height:1.15;letter-spacing:-.02em;overflow-wrap:anywhere;text-wrap:balance}
h1::after{content:"";display:block;width:3.5rem;height:4px;margin-top:1.1rem;border-radius:2px;background:var(--accent)}
.when{margin:1.1rem 0 0;color:var(--muted)}
.when strong{color:var(--ink);font-weight:600}
.note{margin:1.25rem 0 0;padding:.75rem 1rem;border-left:4px solid var(--bad);background:var(--surface)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1rem;margin:2rem 0 0;padding:0;list-style:none}
.tiles li,section{background:var(--surface);border:1px solid var(--line);border-radius:12px}
.tiles li{padding:1.15rem 1.35rem 1.25rem}
.tiles h2{margin:0;color:var(--muted);font-size:.9375rem;font-weight:600;letter-spacing:0}
.big{margin:.15rem 0 .4rem;font-size:2.1rem;line-height:1.2;font-weight:700;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.big.up{color:var(--good)}
.big.down{color:var(--bad)}
.big small{font-size:1.05rem;font-weight:600;letter-spacing:0}
.tiles p.words{margin:0;color:var(--muted);font-size:.9375rem;line-height:1.5;overflow-wrap:anywhere}
section{margin:1.25rem 0 0;padding:clamp(1.25rem,3vw,2rem)}
section h2{margin:0;font-size:1.3rem;line-height:1.3;letter-spacing:-.01em}
.lead{margin:.4rem 0 0;color:var(--muted);max-width:48rem;overflow-wrap:anywhere}
.pair{display:grid;gap:1.5rem 2.5rem;margin-top:1.35rem}
figure{margin:0;min-width:0}
figure+figure{margin-top:1.75rem}
figcaption,caption{padding:0 0 .6rem;color:var(--muted);font-size:.875rem;font-weight:600;text-align:left}
svg{display:block;width:100%;height:auto}
svg text{font-family:inherit}
svg.wide{display:none}
table{width:100%;border-collapse:collapse;font-size:.9375rem;line-height:1.4}
th,td{padding:.5rem .3rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;font-weight:400}
tr>:first-child{padding-left:0;text-align:left;overflow-wrap:anywhere}
tr>:last-child{padding-right:0}
thead th{color:var(--muted);font-size:.8125rem;font-weight:600}
tbody th{font-weight:500;min-width:5rem}
td{font-variant-numeric:tabular-nums;white-space:nowrap}
.range{display:block;color:var(--muted);font-size:.8125rem;font-weight:400}
td.n{color:var(--muted)}
tr.own>*{color:var(--accent);font-weight:700}
tr.own .range{color:inherit;font-weight:400}
tbody tr:last-child>*{border-bottom:0}
.steps{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:0 2.5rem;margin-top:1.5rem}
.steps table{table-layout:fixed}
.day{white-space:nowrap}
.empty{margin:1rem 0 0;color:var(--muted)}
.how dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem 2.5rem;margin:1rem 0 0}
.how dt{font-weight:600}
.how dd{margin:.15rem 0 0;color:var(--muted);font-size:.9375rem}
footer{padding-top:1.5rem;padding-bottom:3rem;color:var(--muted);font-size:.875rem}
.lost{min-height:70vh;display:grid;align-content:center}
.lost p{margin:1rem 0 0;color:var(--muted)}
@media (max-width:23.99rem){section{padding:1.15rem 1rem}table{font-size:.875rem}thead th,.range{font-size:.75rem}}
@media (max-width:33.99rem){.steps th,.steps td{padding-top:.25rem;padding-bottom:.25rem}.steps table+table :is(caption,thead){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
@media (min-width:34rem){.range{display:inline-block;width:8.75rem;font-size:inherit}thead .range{font-weight:600}thead th{white-space:nowrap}svg.wide{display:block}svg.narrow{display:none}}
@media (min-width:64rem){.pair.both{grid-template-columns:minmax(0,7fr) minmax(0,6fr);align-items:start}}
@media print{
@page{margin:14mm 13mm}
body{background:#fff;font-size:10.5pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
header{padding-top:0}
h1{font-size:22pt}
.tiles{grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:3mm;margin-top:6mm}
.tiles li{padding:3.5mm 4mm}
.steps{grid-template-columns:repeat(3,1fr);gap:4mm 8mm}
figcaption,caption,thead th{font-size:9pt}
.big{font-size:18pt}
.big small{font-size:10pt}
.tiles p.words,.how dd,table{font-size:9pt}
section{margin-top:4mm;padding:4mm 6mm}
section h2{font-size:13pt}
svg.wide{display:block;max-width:125mm}
svg.narrow{display:none}
.pair,.steps{margin-top:3mm}
.pair{display:block}
.pair>div+div,figure+figure{margin-top:3mm}
.how dl{grid-template-columns:1fr 1fr;gap:3mm 8mm}
th,td{padding-top:.9mm;padding-bottom:.9mm}
figcaption,caption{padding-bottom:1.5mm}
section:not(:has(.steps)),.tiles li,figure,table,tr,dl>div,.lead{break-inside:avoid}
h2,figcaption,caption,.lead,thead{break-after:avoid}
footer{padding-bottom:0}
}`

/** The one style sheet of a page, for screens in two schemes and for paper. */
export function styleOf(accent: string): string {
  const bright = `:root{color-scheme:light dark;${variables(light, accent)}}`
  const dim = `@media screen and (prefers-color-scheme:dark){:root{${variables(dark, accent)}}}`
  return `${bright}${dim}${rules}`
}
