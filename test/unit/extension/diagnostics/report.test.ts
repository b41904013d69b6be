import { expect, test } from 'vitest';
import { diagnosticsReport } from '../../../../src/extension/features/diagnostics/report';

test('a report tells settings and events, and no secret that may be in them', () => {
  const report = diagnosticsReport({
    at: 0,
    versions: { liyuan: '0.1.0' },
    settings: {
      'liyuan.model.baseUrl': 'https://me:hidden-1@relay.example/v1?key=hidden-2',
      'liyuan.model.headers': { Authorization: 'Bearer hidden-3' },
      'liyuan.model.extraBody': { token: 'hidden-4' },
      'liyuan.model.name': 'deepseek-chat',
      'liyuan.model.temperature': 0.7,
    },
    trusted: true,
    project: { language: 'zh', folders: 6, dirty: 1 },
    diagnosis: {
      store: { kinds: [{ kind: 'objects', files: 3, bytes: 70 }, { kind: 'other', files: 1, bytes: 2 }], bytes: 72 },
      logs: [{ path: '.liyuan/sessions/s.jsonl', bytes: 2, lines: 9, badLines: [4] }],
    },
    events: [{ ts: 0, level: 'warn', text: 'refused {"url":"https://u:hidden-5@h/v1?k=hidden-6","header":"Bearer hidden-7-0123456789"}' }],
  });
  expect(report).not.toMatch(/hidden-/);
  expect(JSON.parse(report)).toMatchObject({
    v: 1,
    at: '1970-01-01T00:00:00.000Z',
    settings: {
      'liyuan.model.baseUrl': 'https://…@relay.example/v1?…',
      'liyuan.model.headers': ['Authorization'],
      'liyuan.model.extraBody': ['token'],
      'liyuan.model.name': 'deepseek-chat',
      'liyuan.model.temperature': 0.7,
    },
    store: { objects: { files: 3, bytes: 70 }, other: { files: 1, bytes: 2 } },
    logs: [{ badLines: [4] }],
    events: ['1970-01-01T00:00:00.000Z warn refused {"url":"https://…@h/v1?…","header":"…"}'],
  });
});
