import type { Host } from '../../host';
import { addProfiles } from '../../models/change-profiles';
import { freeTitle } from '../../models/transfer';
import { pickVscodeModel } from '../../models/vscode-models';
import { use } from './use';

/** Lets the person choose one of VS Code's own models, keeps it as a profile unless it is one already, and has it write. */
export async function chooseVscodeModel(host: Host): Promise<void> {
  const chosen = await pickVscodeModel({ t: host.t });
  if (chosen === undefined) return;
  const { list } = await host.models.profiles();
  const known = list.find(({ provider, entry }) => provider === chosen.provider && entry.name === chosen.name);
  if (known !== undefined) return use(host, 'writing', known.title);
  const title = freeTitle(chosen.title, new Set(list.map((profile) => profile.title)));
  await addProfiles(host.models, [{ ...chosen, title }]);
  await use(host, 'writing', title);
}
