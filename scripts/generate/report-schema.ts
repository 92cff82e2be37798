import { z } from "zod";
import { reportSchema } from "../../src/cli/document/model";
import type { Generator } from "./generated-files";

/**
 * Generates `docs/report.schema.json`, the JSON schema of `--report FILE.json`. The JSON schema comes from the schema
 * that also defines the types of reports.
 */
export const reportSchemaFile = (): Generator => ({
  place: "docs/report.schema.json",
  generate: async () => {
    const schema = z.toJSONSchema(reportSchema, { io: "input", target: "draft-2020-12" });
    const text = JSON.stringify({ title: "A report of steward", ...schema }, null, 2);
    return new Map([["docs/report.schema.json", `${text}\n`]]);
  },
});
