import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { jobFile, JOBS_FOLDER, type Job } from './job';

/** The list of a job on the disk. Throws what `Files` rejects with. */
export interface JobStore {
  /** The newest job; a file that cannot be read is told to the log and left where it is. */
  newest(): Promise<Job | undefined>;
  /** Atomic: either the former state lies there or this one. */
  save(job: Job): Promise<void>;
  remove(id: string): Promise<void>;
}

const pathOf = (id: string): string => `${JOBS_FOLDER}/${id}.json`;

export function createJobStore({ files, log }: { readonly files: Files; readonly log: Log }): JobStore {
  async function read(path: string): Promise<Job | undefined> {
    const bytes = await files.read(path);
    if (bytes === undefined) return undefined;
    const parsed = jobFile.safeParse(jsonOf(new TextDecoder().decode(bytes)));
    if (!parsed.success) log.warn('the list of a job cannot be read', { path });
    return parsed.success ? parsed.data : undefined;
  }

  return {
    async newest() {
      const names = (await files.list(JOBS_FOLDER)).flatMap(({ name }) => (name.endsWith('.json') ? [`${JOBS_FOLDER}/${name}`] : []));
      const jobs = (await Promise.all(names.map(read))).filter((job) => job !== undefined);
      return jobs.sort((a, b) => b.createdAt - a.createdAt)[0];
    },
    save: (job) => files.writeAtomic(pathOf(job.id), new TextEncoder().encode(JSON.stringify(job)), { fsync: true }),
    remove: (id) => files.remove(pathOf(id)),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
