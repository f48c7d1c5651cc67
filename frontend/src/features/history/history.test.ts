import { afterEach, expect, it, vi } from 'vitest';
import { markup } from '@/backend/fake/hostile';
import { buttonOf, openPage, optionsOf } from '@/test/page';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const side = () => document.querySelector('aside')!;

it('lists the decisions and what came of them, newest first', async () => {
  await openPage({ page: 'history' }, (fake) => {
    Object.assign(fake.journal[1]!, { outcome: 'timedOut', edited: true, by: 'policy ci.json, 5c5c' });
  });
  const rows = optionsOf().map((row) => row.textContent.replace(/\s+/g, ' '));
  expect(rows[0]).toMatch(/Shell.*Tool call run_script.*Destructive.*Denied/);
  expect(rows[1]).toMatch(/query.*Allowed, edited, timed out.*policy ci.json, 5c5c/);
  expect(rows[2]).toMatch(/Server launch.*Allowed.*You/);
});

it('shows what happened, what was shown, and the digest', async () => {
  const { press, backend } = await openPage({ page: 'history' });
  await press(optionsOf()[1]!);
  expect(side()).toHaveTextContent('The model wanted to call Postgres (staging)');
  const steps = [...side().querySelectorAll('.steps li')].map((li) => li.textContent.replace(/\d\d:.*/, '').trim());
  expect(steps).toEqual(['Allowed', 'Sent to Postgres (staging)', 'Finished']);
  expect(side()).toHaveTextContent('"sql": "select berth, count(*) from arrivals group by 1"');
  await press(buttonOf(/^Copy the whole digest$/));
  expect(backend.copied).toBe('5c'.repeat(32));
});

it('leads from a standing consent to the decision it rests on', async () => {
  const { press } = await openPage({ page: 'history' }, (fake) => {
    Object.assign(fake.journal[1]!, { by: 'standing launch consent', original: 'dec-1' });
  });
  await press(optionsOf()[1]!);
  expect(side()).toHaveTextContent('Approved before');
  await press(buttonOf(/^the original decision$/));
  expect(side()).toHaveTextContent('You wanted to start');
});

it('says who played the model', async () => {
  const { press } = await openPage({ page: 'history' }, (fake) => {
    Object.assign(fake.journal[1]!, { actor: 'model manual' });
  });
  await press(optionsOf()[1]!);
  expect(side()).toHaveTextContent('You, as the model');
  expect(side()).not.toHaveTextContent('manual');
});

it('asks Go for what the filter says', async () => {
  const { type, pass, backend } = await openPage({ page: 'history' });
  const history = vi.spyOn(backend, 'history');
  await type(document.querySelector('.search input')!, 'script');
  await pass(150);
  expect(history.mock.lastCall?.[0]).toMatchObject({ text: 'script', before: '' });
  expect(optionsOf()).toHaveLength(1);
  expect(document.querySelector('main')).toHaveTextContent('1 shown');
});

it('shows what was stored as text', async () => {
  const { press } = await openPage({ page: 'history' }, (fake) => {
    const text = markup.join('\n');
    Object.assign(fake.journal[0]!, {
      serverName: text,
      what: text,
      reason: text,
      error: text,
      result: text,
      shown: text,
      actor: `model ${text}`,
    });
  });
  await press(optionsOf()[0]!);
  expect(document.querySelectorAll('main img, main script, main iframe, main a, main form, main style')).toHaveLength(
    0,
  );
  expect('__pwned' in window).toBe(false);
});
