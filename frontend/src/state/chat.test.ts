import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeBackend } from '@/backend/fake';
import { Conversation } from './chat.svelte';
import { Hub } from './hub';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function talk(changes: Partial<FakeBackend['talk']>) {
  const backend = new FakeBackend();
  Object.assign(backend.talk, changes);
  const conversation = new Conversation(backend, new Hub(backend));
  await conversation.chat.refresh();
  return { backend, conversation };
}

describe('Conversation', () => {
  it.each([
    [{ manual: true, waiting: 'user' as const }, true, true],
    [{ manual: true, waiting: '' as const }, false, true],
    [{ manual: false, waiting: '' as const }, false, true],
    [{ manual: false, waiting: 'model' as const }, false, false],
    [{ manual: true, waiting: 'decision' as const }, false, false],
  ])('%j: as the model %s, open %s', async (changes, asModel, open) => {
    const { conversation } = await talk(changes);
    expect([conversation.asModel, conversation.open]).toEqual([asModel, open]);
  });

  it('sends as the user, or as the model when that is the move', async () => {
    const { backend, conversation } = await talk({ items: [], waiting: '' });
    conversation.text = ' Which berths? ';
    await conversation.send();
    expect(conversation.text).toBe('');
    expect(conversation.asModel).toBe(true);
    conversation.text = 'B3.';
    await conversation.send();
    expect(backend.talk.items.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Which berths?'],
      ['model', 'B3.'],
    ]);
  });

  it('keeps what was typed when sending fails, and sends nothing empty', async () => {
    const { backend, conversation } = await talk({ waiting: '' });
    const send = vi.spyOn(backend, 'chatSend').mockRejectedValue(new Error('busy'));
    conversation.text = '  \n';
    await conversation.send();
    expect(send).not.toHaveBeenCalled();
    conversation.text = 'Hello';
    await expect(conversation.send()).rejects.toThrow('busy');
    expect(conversation.text).toBe('Hello');
    expect(conversation.open).toBe(true);
  });

  it('fetches ten times a second at most while text streams in', async () => {
    const { backend, conversation } = await talk({});
    const chat = vi.spyOn(backend, 'chat');
    for (let i = 0; i < 200; i++) {
      backend.talk.items[1]!.text += 'x';
      backend.emit('chatDelta', 'chat-1', 'x');
      await vi.advanceTimersByTimeAsync(5);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(chat.mock.calls.length).toBeLessThanOrEqual(12);
    expect(conversation.items[1]?.text.endsWith('x'.repeat(200))).toBe(true);
  });
});
