// SPDX-License-Identifier: Apache-2.0
import fs from 'node:fs';
import path from 'node:path';
import {defineConfig} from 'vitepress';
import {address, root, sections, writeForModels} from './pages.mjs';

// A page may link to any file or folder of the checkout: the site has a copy of each, and a list of the files of a folder.
const copies = new Set();

/** Where a link of a page leads on the site, and whether to a page, which VitePress renders. */
function onSite(href, page) {
  const [file, part] = href.split('#');
  if (/^[a-z]+:/.test(href) || file === '') {
    return {href, rendered: true};
  }
  const target = path.posix.join(path.posix.dirname(page), file);
  if (target.endsWith('.md')) {
    return {href: address(target) + (part ? '#' + part : ''), rendered: true};
  }
  const folder = fs.statSync(path.join(root, target)).isDirectory();
  if (folder && fs.existsSync(path.join(root, target, 'README.md'))) {
    return {href: address(path.posix.join(target, 'README.md')), rendered: true};
  }
  const copy = target.replace(/\/$/, '');
  copies.add(copy);
  return {href: `/${copy}${folder ? '/index.html' : ''}`, rendered: false};
}

/** The anchor of a heading, as the readers of the checkout have it. */
function anchor(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
}

/** Copies what the pages link to, but for what a build has made; a folder gets a page with its files. */
function copyFiles(site) {
  for (const name of copies) {
    const from = path.join(root, name);
    const to = path.join(site, name);
    const built = file => path.relative(root, file).split(path.sep).includes('target');
    fs.cpSync(from, to, {recursive: true, filter: file => !built(file)});
    if (fs.statSync(from).isDirectory()) {
      const files = fs.readdirSync(to, {recursive: true})
        .filter(file => fs.statSync(path.join(to, file)).isFile())
        .map(file => `<li><a href="${file}">${file}</a></li>`);
      fs.writeFileSync(path.join(to, 'index.html'), `<!doctype html><title>${name}</title><ul>${files.join('\n')}</ul>\n`);
    }
  }
}

export default defineConfig({
  title: 'Longhaul',
  description: 'Long-running work over the Model Context Protocol, durable, on the JVM',
  srcDir: '../..',
  outDir: 'target/site',
  cacheDir: 'target/cache',
  srcExclude: ['**/src/**', '**/target/**', '**/node_modules/**'],
  rewrites: page => page.replace(/README\.md$/, 'index.md'),
  // The pages lie outside of this folder, so that they find no packages by themselves.
  vite: {resolve: {alias: {vue: path.join(import.meta.dirname, '../node_modules/vue')}}},
  themeConfig: {
    search: {provider: 'local'},
    outline: [2, 3],
    nav: [{text: 'Start', link: '/docs/START.html'}, {text: 'All pages', link: '/docs/'}],
    sidebar: sections().map(({title, pages}) => ({
      text: title,
      items: pages.map(page => ({text: page.title, link: address(page.file)})),
    })),
  },
  markdown: {
    anchor: {slugify: anchor},
    config(md) {
      const fenced = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, options, env, self) =>
        tokens[index].info === 'mermaid'
          ? `<pre class="mermaid" style="overflow-x: auto" v-pre>${md.utils.escapeHtml(tokens[index].content)}</pre>`
          : fenced(tokens, index, options, env, self);
      const opened = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const {href, rendered} = onSite(token.attrGet('href'), path.relative(root, env.path));
        token.attrSet('href', href);
        if (rendered) {
          return opened(tokens, index, options, env, self);
        }
        token.attrSet('target', '_self');
        return self.renderToken(tokens, index, options);
      };
    },
  },
  buildEnd({outDir}) {
    copyFiles(outDir);
    for (const part of ['mermaid.esm.min.mjs', 'chunks/mermaid.esm.min']) {
      const from = path.join(import.meta.dirname, '../node_modules/mermaid/dist', part);
      fs.cpSync(from, path.join(outDir, 'mermaid', part), {recursive: true, filter: file => !file.endsWith('.map')});
    }
    writeForModels(outDir);
  },
});
