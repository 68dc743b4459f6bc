import { dark, light, readable, type Scheme } from './colours.ts'
import { fontFamily, headingSizes, otherColours } from './look.ts'
import { shades } from './shades.ts'

function variables(scheme: Scheme, accent: string): string {
  const colours = { ...scheme, accent: readable(accent, scheme) }
  return Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

const lineColours = `:root{--c0:var(--accent);${otherColours.map((colour, at) => `--c${at + 1}:${colour}`).join(';')}}`

/** The ground of a cell by its percentage: pale enough for its text. */
const grounds = shades
  .map(
    (shade) =>
      `.s${shade}{background:color-mix(in srgb,var(--accent) ${shade * 0.55}%,transparent)}`,
  )
  .join('')

const rules = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:.875rem/1.55 ${fontFamily}}
main,header,footer{max-width:75rem;margin:0 auto;padding:0 clamp(.75rem,3vw,1.5rem)}
header{padding-top:1.5rem}
h1,h2,p,ul,dl,dd,figure{margin:0;padding:0}
ul{list-style:none}
.by{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.25rem;margin-bottom:1rem}
.by p{display:flex;align-items:center;gap:.6rem;min-width:0}
.by img{display:block;max-height:2.5rem;max-width:10rem;object-fit:contain}
.brand{font-weight:600;font-size:1rem}
.brand small,.sender{color:var(--muted);font-weight:400;font-size:.8125rem}
.print{margin-left:auto}
button{padding:.4rem .9rem;border:1px solid var(--line);border-radius:8px;background:var(--surface);color:inherit;font:inherit;font-weight:600;cursor:pointer}
button:focus-visible,summary:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
h1{font-size:${headingSizes.h1};font-weight:700;line-height:1.3;overflow-wrap:anywhere;text-wrap:balance}
.when{margin-top:.25rem;color:var(--muted)}
.when strong{color:var(--ink);font-weight:600}
.note{margin-top:1rem;padding:.6rem .9rem;border-left:4px solid var(--bad);background:var(--surface)}
.figures{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem;margin-top:1.25rem}
.figures li,section{min-width:0;padding:1rem;background:var(--surface);border:1px solid var(--line);border-radius:8px}
.figures h2{color:var(--muted);font-size:.875rem;font-weight:600}
.value{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .6rem}
.value strong{font-size:1.75rem;line-height:1.3}
.chip{padding:.1rem .45rem;border-radius:4px;background:var(--quiet);font-size:.75rem;font-weight:700;white-space:nowrap}
.chip.good{background:var(--goodGround);color:var(--good)}
.chip.bad{background:var(--badGround);color:var(--bad)}
.words{color:var(--muted);font-size:.75rem;overflow-wrap:anywhere}
.sparkline{display:block;width:100%;height:36px;margin-top:.6rem;overflow:visible}
.sparkline .line{fill:none;stroke:var(--accent);stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.sparkline .area{fill:var(--accent);opacity:.12}
.row{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;margin-top:1rem;align-items:start}
h2{font-size:${headingSizes.h2};font-weight:700}
.lead{color:var(--muted);font-size:.75rem}
.lead+*{margin-top:.75rem}
figure svg{display:block;width:100%;height:auto}
figure svg text{font-family:inherit}
svg.wide{display:none}
.legend{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1rem;margin-top:.5rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.legend svg{width:.65rem;height:.65rem}
table{width:100%;border-collapse:collapse}
th,td{padding:.5rem .35rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
tr>:first-child{padding-left:.5rem}
tr>:last-child{padding-right:.5rem}
thead th{color:var(--muted);font-size:.75rem;font-weight:600;vertical-align:bottom}
tbody th{font-weight:500}
tr>:first-child{overflow-wrap:anywhere}
.num{text-align:right;font-variant-numeric:tabular-nums}
td.num{white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
tr.own{background:color-mix(in srgb,var(--accent) 12%,transparent)}
tr.own th{font-weight:700}
.rank{display:inline-block;min-width:1.6em;color:var(--muted);font-weight:400}
tr.own .rank{color:inherit}
.delta{margin-left:.4rem;color:var(--muted);font-size:.75rem}
.delta.good{color:var(--good)}
.delta.bad{color:var(--bad)}
tr.own .delta:not(.good,.bad){color:inherit}
.matrix th,.matrix td{padding:.2rem .15rem;border:0;vertical-align:middle}
.matrix tr.own{background:none}
.matrix .cell{text-align:center}
.matrix thead .cell{vertical-align:bottom;line-height:1.25}
.matrix td span{display:block;padding:.3rem 0;border-radius:4px;font-size:.8125rem;font-weight:500;font-variant-numeric:tabular-nums}
.matrix .leads{outline:2px solid var(--accent);outline-offset:-1px;font-weight:700}
${grounds}
.bars li{display:grid;grid-template-columns:minmax(0,9.5rem) minmax(0,1fr) 3.5rem;align-items:center;gap:.15rem .75rem;padding:.25rem 0}
.bars .minor{display:none}
.bar{display:block;width:100%;height:.75rem;border-radius:6px;overflow:hidden;fill:var(--accent)}
.bar .ground{fill:var(--quiet)}
.name{overflow-wrap:anywhere}
.prompts li,.pairs li{padding:.45rem 0;border-bottom:1px solid var(--line)}
.prompts li:last-child,.pairs li:last-child{border-bottom:0}
.prompts small{display:block}
small{color:var(--muted);font-size:.75rem}
.pairs li{display:flex;justify-content:space-between;gap:1rem}
.nowrap{white-space:nowrap}
details{margin-top:.5rem}
details details{margin-top:0}
summary{width:fit-content;padding:.2rem 0;color:var(--accent);cursor:pointer}
.hidden,.rest{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.none{color:var(--muted)}
.about{margin-top:1rem;background:none;color:var(--muted);font-size:.8125rem}
.about h2{font-size:.875rem}
.about dl+details{margin-top:.75rem}
.about dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:.6rem 2rem;margin-top:.5rem}
.about dt{font-weight:600}
footer{padding-top:1rem;padding-bottom:2rem;color:var(--muted);font-size:.75rem}
.alone{min-height:80vh;display:grid;align-content:center;justify-content:center}
.alone p{margin:.5rem 0 1rem;color:var(--muted)}
.alone form{display:grid;gap:.25rem;max-width:24rem}
.alone p.problem{margin:0;color:var(--bad)}
label{font-weight:600}
input{width:100%;margin-bottom:.75rem;padding:.5rem .75rem;border:1px solid var(--muted);border-radius:8px;background:var(--surface);color:inherit;font:inherit}
[hidden]{display:none}
@media (max-width:47.99rem){
.minor{display:none}
.value strong{font-size:1.375rem}
.figures{gap:.6rem}
.figures li{padding:.75rem}
.matrix thead .cell{writing-mode:vertical-rl;rotate:180deg;height:7.5rem;margin:auto;text-align:left;vertical-align:middle}
.matrix td span{font-size:.75rem}
.bars li{grid-template-columns:minmax(0,8rem) minmax(0,1fr) 3.25rem}
}
@media (min-width:48rem){
tbody th{min-width:7.5rem}
.figures{grid-template-columns:repeat(auto-fit,minmax(13rem,1fr))}
svg.wide{display:block}
svg.narrow{display:none}
}
@media (min-width:64rem){
.row.two{grid-template-columns:repeat(2,minmax(0,1fr))}
.row.three{grid-template-columns:minmax(0,5fr) minmax(0,6fr) minmax(0,5fr)}
.row.standing{grid-template-columns:minmax(0,7fr) minmax(0,5fr)}
.standing .matrix tbody th{min-width:0}
}
@page{margin:12mm}
@media print{
body{background:#fff;font-size:9pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
header{padding-top:0}
.print,summary{display:none}
details::details-content{display:block;content-visibility:visible}
details:has(.rest){margin-top:0}
section:has(details .rest) table{table-layout:fixed}
thead{display:table-header-group}
.figures{grid-template-columns:repeat(4,minmax(0,1fr));gap:3mm;margin-top:4mm}
.figures li,section{padding:3mm}
.row{display:block;margin-top:0}
section{margin-top:4mm}
h1{font-size:16pt}
h2{font-size:11pt}
.value strong{font-size:15pt}
th,td{padding-top:1mm;padding-bottom:1mm}
svg.wide{display:block}
svg.narrow{display:none}
.minor{display:revert}
th.minor,td.minor{display:table-cell}
.bars .minor{display:none}
.bars li{padding:0;break-inside:avoid}
.matrix thead .cell{writing-mode:horizontal-tb;rotate:0deg;height:auto;text-align:center;vertical-align:bottom}
figure,tr,li,.about dl>div{break-inside:avoid}
section:not(.long){break-inside:avoid}
h2,.lead,thead{break-after:avoid}
.about{border:0;padding:0}
footer{padding-bottom:0}
}`

/** The one style sheet of a page, for screens in two schemes and for paper. */
export function styleOf(accent: string): string {
  const bright = `:root{color-scheme:light dark;${variables(light, accent)}}`
  const dim = `@media screen and (prefers-color-scheme:dark){:root{${variables(dark, accent)}}}`
  return `${lineColours}${bright}${dim}${rules}`
}
