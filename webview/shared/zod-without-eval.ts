import * as z from 'zod';

// To be imported before anything that makes a schema: zod tries `eval` when the first object schema is made, which the
// content security policy forbids and reports.
z.config({ jitless: true });
