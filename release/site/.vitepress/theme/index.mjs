// SPDX-License-Identifier: Apache-2.0
// The theme of VitePress, and diagrams: Mermaid is loaded by the pages that have one.
import DefaultTheme from 'vitepress/theme';
import {useData, useRoute} from 'vitepress';
import {nextTick, onMounted, watch} from 'vue';

const module = '/mermaid/mermaid.esm.min.mjs';

async function draw(isDark) {
  await nextTick();
  const diagrams = document.querySelectorAll('pre.mermaid');
  if (diagrams.length > 0) {
    const {default: mermaid} = await import(/* @vite-ignore */ module);
    mermaid.initialize({startOnLoad: false, deterministicIds: true, sequence: {useMaxWidth: false}, theme: isDark ? 'dark' : 'default'});
    for (const diagram of diagrams) {
      diagram.dataset.source ??= diagram.textContent;
      diagram.textContent = diagram.dataset.source;
      diagram.removeAttribute('data-processed');
    }
    await mermaid.run({nodes: diagrams});
  }
}

export default {
  extends: DefaultTheme,
  setup() {
    const {isDark} = useData();
    const route = useRoute();
    // One after another: Mermaid keeps the drawing under way in the page.
    let drawn = Promise.resolve();
    const drawNext = () => (drawn = drawn.then(() => draw(isDark.value)));
    onMounted(drawNext);
    watch(() => [route.path, isDark.value], drawNext);
  },
};
