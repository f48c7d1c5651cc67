import { cleanup, render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import Avatar from '@/ui/Avatar.svelte';

it('shows the first letter that can be seen', () => {
  const names = {
    files: 'F',
    '\u202Eevil': 'E',
    ' 7 of 9': '7',
    '“语言”': '语',
    '🚀 fast': '🚀',
    '\u0000': '?',
    '': '?',
  };
  for (const [name, letter] of Object.entries(names)) {
    const { container } = render(Avatar, { name });
    expect(container.textContent).toBe(letter);
    cleanup();
  }
});
