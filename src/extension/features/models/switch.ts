import * as vscode from 'vscode';
import type { Host } from '../../host';
import type { ModelRole } from '../../models/setting-names';
import { configureModel } from './configure';
import { checkConnection } from './connection-commands';
import { nothingToSwitch, switchRows, type SwitchChoice, type SwitchRow } from './switch-rows';
import { use } from './use';
import { chooseVscodeModel } from './vscode-model';

interface RowItem extends vscode.QuickPickItem {
  readonly choice?: SwitchChoice;
}

/** A row's button, and what it does for the profile of the row. */
type Act = 'edit' | 'test' | 'side';

interface Chosen {
  readonly choice: SwitchChoice;
  readonly act?: Act;
}

/** Shows the models and does what is chosen: another one writes or does side work, one is added, changed or tested. */
export async function switchModel(host: Host, role: ModelRole = 'writing'): Promise<void> {
  const { t } = host;
  const profiles = await host.models.profiles();
  if (role === 'writing' && nothingToSwitch(profiles)) {
    await configureModel(host);
    return;
  }
  const chosen = await pick(host, role, switchRows(profiles, role, t));
  if (chosen === undefined) return;
  const { choice, act } = chosen;
  if (choice.kind === 'use' && act === 'edit') await openPage({ title: choice.title });
  else if (choice.kind === 'use' && act === 'test') await checkConnection(host, configureModel, choice.title);
  else if (choice.kind === 'use') await use(host, act === 'side' ? 'side' : role, choice.title);
  else if (choice.kind === 'asWriting') await use(host, 'side', '');
  else if (choice.kind === 'side') await switchModel(host, 'side');
  else if (choice.kind === 'vscode') await chooseVscodeModel(host);
  else if (choice.kind === 'test') await checkConnection(host, configureModel);
  else await openPage(choice.kind === 'add' ? { add: true } : {});
}

const openPage = (at: { readonly title?: string; readonly add?: true }): Thenable<unknown> => vscode.commands.executeCommand('liyuan.model.openPage', at);

function pick(host: Host, role: ModelRole, rows: readonly SwitchRow[]): Promise<Chosen | undefined> {
  const { t } = host;
  const buttons: readonly (vscode.QuickInputButton & { readonly act: Act })[] = [
    { iconPath: new vscode.ThemeIcon('edit'), tooltip: t('Edit'), act: 'edit' },
    { iconPath: new vscode.ThemeIcon('plug'), tooltip: t('Test the connection'), act: 'test' },
    { iconPath: new vscode.ThemeIcon('book'), tooltip: t('Use for side work'), act: 'side' },
  ];
  const items = rows.map(({ label, description, detail, choice, separator }): RowItem => ({
    label,
    ...(description === undefined ? {} : { description }),
    ...(detail === undefined ? {} : { detail }),
    ...(choice === undefined ? {} : { choice }),
    ...(separator === true ? { kind: vscode.QuickPickItemKind.Separator } : {}),
    ...(choice?.kind === 'use' ? { buttons: buttons.filter(({ act }) => act !== 'side' || choice.title !== '') } : {}),
  }));
  return new Promise((resolve) => {
    const box = vscode.window.createQuickPick<RowItem>();
    const settle = (chosen: Chosen | undefined): void => {
      resolve(chosen);
      box.dispose();
    };
    Object.assign(box, {
      title: role === 'writing' ? t('Switch the model') : t('Model for side work'),
      placeholder: role === 'writing' ? t('Who writes? A turn that is running goes on with its model; the next one asks the new one.') : t('Who makes summaries and does other side work?'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    box.items = items;
    const inUse = items.find(({ description }) => description?.includes('$(check)') === true);
    if (inUse !== undefined) box.activeItems = [inUse];
    box.onDidTriggerItemButton(({ item, button }) => {
      const found = buttons.find((one) => one.tooltip === button.tooltip);
      if (item.choice !== undefined && found !== undefined) settle({ choice: item.choice, act: found.act });
    });
    box.onDidAccept(() => {
      const [item] = box.selectedItems;
      if (item?.choice !== undefined) settle({ choice: item.choice });
    });
    box.onDidHide(() => { settle(undefined); });
    box.show();
  });
}
