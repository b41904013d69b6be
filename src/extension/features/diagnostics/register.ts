import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature } from '../../host';

/** 「导出诊断」: a file on this machine for a bug report. */
export const diagnosticsFeature: Feature = {
  name: 'diagnostics',
  register: (host) =>
    registerCommand(host, 'liyuan.diagnostics.export', async (target?: unknown) => {
      const { exportDiagnostics } = await import('./export');
      await exportDiagnostics(host, target instanceof vscode.Uri ? target : undefined);
    }),
};
