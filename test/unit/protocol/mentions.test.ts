import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mentionSchema } from '../../../src/engine/session/mentions';
import { passageSchema } from '../../../src/engine/session/passage';
import { chatMention } from '../../../src/protocol/mentions';
import { passageState } from '../../../src/protocol/passage';

/** The fields of a shape, whether or not it lets others pass: entries keep what they do not know, messages do not. */
function fieldsOf(schema: z.ZodType): unknown {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema), (key, value: unknown) => (key === 'additionalProperties' ? undefined : value)));
}

describe('what engine and views each define for themselves', () => {
  it('is the same of mentions', () => {
    expect(fieldsOf(chatMention)).toEqual(fieldsOf(mentionSchema));
  });

  it('is the same of what may be asked of a passage', () => {
    expect(passageState.shape.task.options).toEqual(passageSchema.shape.task.options);
  });
});
