// Makes an SVG of the lines of a terminal on standard input, with their SGR sequences. The argument describes it.
import { readFileSync } from "node:fs";

const WIDE = 8.4, HIGH = 19, LEFT = 14, TOP = 30;
const COLOURS = { 30: "dim", 31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "violet", 36: "blue", 90: "dim" };
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const escaped = text => text.replace(/[&<>]/g, character => ESCAPES[character]);
const lines = readFileSync(0, "utf8").trimEnd().split("\n");
const columns = Math.max(...lines.map(line => [...line.replace(/\u001b\[[0-9;]*m/g, "")].length));
const style = { colour: "", bold: false, dim: false, reversed: false };

function render(codes) {
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) Object.assign(style, { colour: "", bold: false, dim: false, reversed: false });
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 7 || code === 27) style.reversed = code === 7;
    else if (code === 22) style.bold = style.dim = false;
    else if (code === 39) style.colour = "";
    else style.colour = COLOURS[code] ?? style.colour;
  }
}

function run(text, column, y) {
  const x = (LEFT + column * WIDE).toFixed(1), width = ([...text].length * WIDE).toFixed(1);
  const flags = ["bold", "dim", "reversed"].filter(name => style[name]);
  const names = [...(style.colour ? [style.colour] : []), ...flags];
  const classes = names.length ? ` class="${names.join(" ")}"` : "";
  const behind = style.reversed ? `<rect x="${x}" y="${y - 14}" width="${width}" height="${HIGH}"/>\n` : "";
  const drawn = text.trim() ? `<text x="${x}" y="${y}" textLength="${width}"${classes}>${escaped(text)}</text>\n` : "";
  return behind + drawn;
}

let body = "";
lines.forEach((line, row) => {
  let column = 0;
  line.split(/(\u001b\[[0-9;]*m)/).forEach(part => {
    if (part.startsWith("\u001b")) {
      render(part.slice(2, -1));
    } else if (part) {
      body += run(part, column, TOP + row * HIGH);
      column += [...part].length;
    }
  });
});

const size = `${Math.ceil(2 * LEFT + columns * WIDE)} ${TOP + lines.length * HIGH}`;
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" role="img">
<title>${escaped(process.argv[2])}</title>
<style>
svg { background: #fbfbfa; color: #1c2126 }
text { font: 14px ui-monospace, Menlo, Consolas, monospace; white-space: pre; fill: currentColor }
rect { fill: currentColor } .bold { font-weight: bold } .dim { fill: #5c6570 } .red { fill: #a3281f }
.green { fill: #1b6e35 } .yellow { fill: #7a4d00 } .blue { fill: #0b5a7d } .violet { fill: #6b3fa0 }
text.reversed { fill: #fbfbfa }
@media (prefers-color-scheme: dark) {
  svg { background: #16181b; color: #e4e7ea } .dim { fill: #9aa3ad } .red { fill: #ff8f85 } .green { fill: #6fd08c }
  .yellow { fill: #f0b84a } .blue { fill: #7cc7ec } .violet { fill: #c3a2f2 } text.reversed { fill: #16181b }
}
</style>
${body}</svg>
`);
