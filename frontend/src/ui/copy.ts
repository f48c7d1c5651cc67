// Copying a selection gives the original characters, not the markers that stand for them.

/** Handles copy events below root; returns how to stop. */
export function copyOriginals(root: HTMLElement | Document): () => void {
  const onCopy = (event: Event) => {
    const selection = document.getSelection();
    if (!selection || selection.rangeCount === 0) return;
    const content = selection.getRangeAt(0).cloneContents();
    if (!content.querySelector('[data-raw], [data-line]')) return;
    (event as ClipboardEvent).clipboardData?.setData('text/plain', originalText(content));
    event.preventDefault();
  };
  root.addEventListener('copy', onCopy);
  return () => root.removeEventListener('copy', onCopy);
}

/** The text of nodes made by Pieces and CodeBlock, with markers turned back and line numbers left out. */
export function originalText(content: Node): string {
  let text = '';
  let started = false;
  const walk = (node: Node) => {
    if (node instanceof Text) text += node.data;
    if (node instanceof HTMLElement) {
      if (node.dataset['raw'] !== undefined) {
        text += node.dataset['raw'];
        return;
      }
      if (node.dataset['number'] !== undefined) return;
      if (node.dataset['line'] === '' && started) text += '\n';
      if (node.dataset['line'] !== undefined) started = true;
    }
    node.childNodes.forEach(walk);
  };
  walk(content);
  return text;
}
