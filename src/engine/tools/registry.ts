import type { ToolSpec } from '../ports/models';
import { askTool } from './ask';
import { deleteTool } from './delete';
import { editTool } from './edit';
import { grepTool } from './grep';
import { listTool } from './list';
import { outlineTool } from './outline';
import { readTool } from './read';
import { renameTool } from './rename';
import type { ToolTexts } from './specs';
import { toolSpec } from './specs';
import type { Tool } from './tool';
import { writeTool } from './write';

/** The tools of agent sessions, in the order they are offered. */
export const AGENT_TOOLS: readonly Tool[] = [
  listTool,
  readTool,
  grepTool,
  outlineTool,
  editTool,
  writeTool,
  renameTool,
  deleteTool,
  askTool,
];

export interface ToolSet {
  readonly specs: readonly ToolSpec[];
  get(name: string): Tool | undefined;
}

/** Those of a turn that works on one chapter by itself: it renames and deletes nothing, and nobody is there to be asked. */
const CHAPTER_TOOLS: readonly Tool[] = AGENT_TOOLS.filter(({ reads, name }) => reads || name === 'edit' || name === 'write');

export function agentTools(assets: { readonly tools: ToolTexts }): ToolSet {
  return toolSet(AGENT_TOOLS, assets);
}

export function chapterTools(assets: { readonly tools: ToolTexts }): ToolSet {
  return toolSet(CHAPTER_TOOLS, assets);
}

function toolSet(tools: readonly Tool[], assets: { readonly tools: ToolTexts }): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    specs: tools.map((tool) => toolSpec(tool, assets.tools)),
    get: (name) => byName.get(name),
  };
}
