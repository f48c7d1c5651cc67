// Where the user is typing.

const typed =
  'textarea, select, [contenteditable], input:not([type=button], [type=checkbox], [type=radio], [type=range])';

/** Whether a key press goes into this element as text. */
export const isField = (element: EventTarget | null): boolean => element instanceof Element && element.matches(typed);

export const inField = (): boolean => isField(document.activeElement);
