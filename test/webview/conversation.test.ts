import { describe, expect, it } from 'vitest';
import { createConversation } from '../../webview/chat/conversation';
import { ask, assistant, idle, snapshotOf, tool, user } from './support/samples';

function conversation(...items: Parameters<typeof snapshotOf>[0]): ReturnType<typeof createConversation> {
  const made = createConversation();
  made.reset(snapshotOf(items));
  return made;
}

describe('the conversation', () => {
  it('puts a new item at the end and a known one where it stands', () => {
    const { items, apply } = conversation(user('u1', '一'), user('u2', '二'));
    apply([{ op: 'put', item: user('u1', '壹') }, { op: 'put', item: user('u3', '三') }]);
    expect(items.map((item) => [item.id, item.kind === 'user' ? item.text : ''])).toEqual([['u1', '壹'], ['u2', '二'], ['u3', '三']]);
  });

  it('appends to the field that grows and never changes an item in place', () => {
    const { items, apply } = conversation(assistant('r1', '一', { state: 'streaming' }), tool('c1', 'write', '写', { state: 'streaming' }));
    const [before] = items;
    apply([
      { op: 'append', id: 'r1', field: 'text', text: '二' },
      { op: 'append', id: 'r1', field: 'reasoning', text: '想' },
      { op: 'append', id: 'c1', field: 'preview', text: '雾' },
      { op: 'append', id: 'c1', field: 'preview', text: '散' },
      { op: 'append', id: 'nobody', field: 'text', text: '丢' },
    ]);
    expect(before).toMatchObject({ text: '一' });
    expect(items[0]).toMatchObject({ text: '一二', reasoning: '想' });
    expect(items[1]).toMatchObject({ preview: '雾散' });
    expect(items).toHaveLength(2);
  });

  it('finds items again after others were removed', () => {
    const { items, apply } = conversation(user('u1', '一'), user('u2', '二'), assistant('r1', '三', { state: 'streaming' }));
    apply([{ op: 'remove', ids: ['u1', 'unknown'] }, { op: 'append', id: 'r1', field: 'text', text: '四' }]);
    expect(items.map((item) => item.id)).toEqual(['u2', 'r1']);
    expect(items[1]).toMatchObject({ text: '三四' });
  });

  it('tells once what has reached its end', () => {
    const { apply } = conversation();
    expect(apply([{ op: 'put', item: assistant('r1', '一', { state: 'streaming' }) }]).settled).toEqual([]);
    expect(apply([{ op: 'put', item: assistant('r1', '一。') }]).settled.map((item) => item.id)).toEqual(['r1']);
    expect(apply([{ op: 'put', item: assistant('r1', '一。') }]).settled).toEqual([]);
    expect(apply([{ op: 'put', item: ask('a1') }]).settled.map((item) => item.id)).toEqual(['a1']);
    expect(apply([{ op: 'put', item: ask('a1', { state: 'answered' }) }]).settled).toEqual([]);
  });

  it('says whether the list changed, and hands words for the box on', () => {
    const made = conversation();
    expect(made.apply([{ op: 'status', status: { ...idle, phase: 'tools' } }, { op: 'prefill', text: '再来' }])).toEqual({
      prefill: { text: '再来', mentions: [] },
      mentionsWait: false,
      settled: [],
      listChanged: false,
    });
    expect(made.status.phase).toBe('tools');
  });
});
