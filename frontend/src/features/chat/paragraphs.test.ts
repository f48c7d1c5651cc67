import { expect, it } from 'vitest';
import { partsOf } from './paragraphs';

const t = (text: string) => ({ kind: 'text', text });
const c = (text: string) => ({ kind: 'code', text });

it.each([
  ['', []],
  ['one\n\ntwo', [t('one\n\ntwo')]],
  ['before\n```sql\nselect 1\n```\nafter', [t('before'), c('select 1'), t('after')]],
  ['```\nstill streaming', [c('still streaming')]],
  ['````\n```\ninner\n```\n````', [c('```\ninner\n```')]],
  ['```\na\n``` b\n```', [c('a\n``` b')]],
  ['no ``` fence', [t('no ``` fence')]],
  ['    ```\nindented', [t('    ```\nindented')]],
  ['<script>x</script>', [t('<script>x</script>')]],
])('%j', (message, expected) => {
  expect(partsOf(message)).toEqual(expected);
});
