import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskBytes, firstChapter, literalRequest, newChat, turn, uriOf } from './liyuan-host';

suite('extension: diagnostics', function () {
  this.timeout(60_000);

  test('the report holds versions, settings, the store and the last events, and nothing that was written or said', async () => {
    const original = diskBytes(firstChapter);
    const chat = await newChat();
    await turn(chat, literalRequest);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-diagnostics-'));
    try {
      const file = vscode.Uri.file(path.join(folder, 'report.json'));
      await vscode.commands.executeCommand('liyuan.diagnostics.export', file);
      const text = fs.readFileSync(file.fsPath, 'utf8');
      const report = JSON.parse(text) as { readonly versions: object; readonly settings: object; readonly store: Record<string, { files: number }>; readonly events: readonly string[] };
      assert.ok('liyuan' in report.versions && 'liyuan.model.baseUrl' in report.settings);
      assert.ok((report.store['objects']?.files ?? 0) > 0);
      assert.ok(report.events.some((event) => event.includes('activated')));
      assert.ok(!text.includes('灯照不了多远') && !text.includes('灯是看不见的'));
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
      fs.writeFileSync(uriOf(firstChapter).fsPath, original);
    }
  });
});
