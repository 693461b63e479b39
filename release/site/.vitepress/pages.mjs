// SPDX-License-Identifier: Apache-2.0
// What docs/README.md says of the pages: the menu of the site, and llms.txt, come from its lists.
import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../../..');

const read = file => fs.readFileSync(path.join(root, file), 'utf8');

/** The sections of docs/README.md: a heading, and the entries of its list, each a page with what it is for. */
export function sections() {
  return read('docs/README.md').split(/^## /m).slice(1).map(section => {
    const rows = [...section.matchAll(/^- \[(.+?)]\((.+?)\): (.+)$/gm)];
    return {
      title: section.slice(0, section.indexOf('\n')),
      pages: rows.map(([, , link, purpose]) => page(path.join('docs', link), purpose)),
    };
  });
}

function page(file, purpose) {
  return {file, purpose, title: read(file).match(/^# (.+)$/m)[1]};
}

/** The address of a page on the site. */
export function address(file) {
  return '/' + file.replace(/README\.md$/, '').replace(/\.md$/, '.html');
}

/** Writes llms.txt, the index for models, and llms-full.txt, all pages in the order of the menu (llmstxt.org). */
export function writeForModels(folder) {
  const about = read('README.md').match(/\*\*(.+?)\*\*/)[1];
  const list = sections().map(({title, pages}) =>
    `## ${title}\n\n` + pages.map(page => `- [${page.title}](/${page.file}): ${page.purpose}\n`).join(''));
  fs.writeFileSync(path.join(folder, 'llms.txt'), `# Longhaul\n\n> ${about}\n\n${list.join('\n')}`);
  const texts = sections().flatMap(section => section.pages).map(({file}) => {
    const text = read(file);
    fs.mkdirSync(path.dirname(path.join(folder, file)), {recursive: true});
    fs.writeFileSync(path.join(folder, file), text);
    return `<!-- ${file} -->\n${text}`;
  });
  fs.writeFileSync(path.join(folder, 'llms-full.txt'), texts.join('\n'));
}
