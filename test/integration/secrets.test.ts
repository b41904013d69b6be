import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LiyuanApi } from '../../src/extension/activate';

suite('secrets', () => {
  test('a key goes into the editor’s secret storage and comes back until it is deleted', async () => {
    const extension = vscode.extensions.getExtension<LiyuanApi>('liyuan.liyuan');
    assert.ok(extension);
    const { internal } = await extension.activate();
    assert.ok(internal, 'the development host shows its inside');
    const name = 'test:round-trip';
    await internal.secrets.set(name, 'sk-一二三');
    assert.equal(await internal.secrets.get(name), 'sk-一二三');
    assert.equal(await internal.context.secrets.get(name), 'sk-一二三');
    await internal.secrets.delete(name);
    assert.equal(await internal.context.secrets.get(name), undefined);
    assert.equal(await internal.secrets.get(name), process.env['LIYUAN_API_KEY']);
  });
});
